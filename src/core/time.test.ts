import { describe, expect, it } from "vitest";
import { addDays, daysBetween, instant, ManualClock, secondsToMidnight, utcDay } from "./time";

describe("UTC days", () => {
  it("are taken in UTC whatever the machine's zone", () => {
    expect(utcDay(instant("2026-03-01T23:59:59.999Z"))).toBe("2026-03-01");
    expect(utcDay(instant("2026-03-02T00:00:00.000Z"))).toBe("2026-03-02");
  });

  it("step over month, leap day and year", () => {
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(daysBetween("2026-12-30", "2027-01-02")).toBe(3);
  });

  it("end at midnight: the seconds left are whole, 86,400 at its start and 1 at its last instant", () => {
    expect(secondsToMidnight(instant("2026-03-01T00:00:00.000Z"))).toBe(86_400);
    expect(secondsToMidnight(instant("2026-03-01T23:59:59.999Z"))).toBe(1);
  });
});

describe("ManualClock", () => {
  it("moves only when told", () => {
    const clock = new ManualClock("2026-03-01T06:00:00Z");
    expect(clock.now()).toEqual(clock.now());
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe("2026-03-01T06:00:01.500Z");
  });
});
