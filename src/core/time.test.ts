import { describe, expect, it } from "vitest";
import {
  addDays,
  countDaysBetween,
  getSecondsToMidnight,
  HOUR,
  ManualClock,
  startOfPacificDay,
  toDate,
  toPacificDay,
  toUtcDay,
} from "./time";

describe("UTC days", () => {
  it("are UTC in any time zone of the machine", () => {
    expect(toUtcDay(toDate("2026-03-01T23:59:59.999Z"))).toBe("2026-03-01");
    expect(toUtcDay(toDate("2026-03-02T00:00:00.000Z"))).toBe("2026-03-02");
  });

  it("step over month, leap day and year", () => {
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01");
    expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
    expect(countDaysBetween("2026-12-30", "2027-01-02")).toBe(3);
  });

  it("end at midnight: 86,400 whole seconds are left at the start and 1 at the last instant", () => {
    expect(getSecondsToMidnight(toDate("2026-03-01T00:00:00.000Z"))).toBe(86_400);
    expect(getSecondsToMidnight(toDate("2026-03-01T23:59:59.999Z"))).toBe(1);
  });
});

describe("Pacific days", () => {
  it.each([
    ["in winter", "2026-01-15", "2026-01-15T08:00:00.000Z"],
    ["in summer", "2026-07-15", "2026-07-15T07:00:00.000Z"],
    ["on the day the clocks go forward", "2026-03-08", "2026-03-08T08:00:00.000Z"],
    ["on the day after", "2026-03-09", "2026-03-09T07:00:00.000Z"],
    ["on the day the clocks go back", "2026-11-01", "2026-11-01T07:00:00.000Z"],
    ["on the day after that", "2026-11-02", "2026-11-02T08:00:00.000Z"],
    ["at the turn of the year", "2027-01-01", "2027-01-01T08:00:00.000Z"],
  ])("start at midnight Pacific time %s, to the millisecond", (_, day, at) => {
    expect(startOfPacificDay(day).toISOString()).toBe(at);
    expect(toPacificDay(toDate(at))).toBe(day);
    expect(toPacificDay(toDate(toDate(at).getTime() - 1))).toBe(addDays(day, -1));
  });

  it("have 23 and 25 hours when the clocks change, else 24", () => {
    const countHours = (day: string) =>
      (startOfPacificDay(addDays(day, 1)).getTime() - startOfPacificDay(day).getTime()) / HOUR;
    expect(["2026-03-07", "2026-03-08", "2026-11-01", "2026-11-02"].map(countHours)).toEqual([24, 23, 25, 24]);
  });
});

describe("ManualClock", () => {
  it("moves only when set", () => {
    const clock = new ManualClock("2026-03-01T06:00:00Z");
    expect(clock.now()).toEqual(clock.now());
    clock.advance(1500);
    expect(clock.now().toISOString()).toBe("2026-03-01T06:00:01.500Z");
  });
});
