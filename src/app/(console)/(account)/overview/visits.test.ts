import { describe, expect, it } from "vitest";
import { HOUR, toDate } from "@/core/time";
import { formatVisits, readVisits } from "./visits";

const LIST = "00000000-0000-4000-8000-000000000001";
const START = Date.parse("2026-03-10T08:00:00.000Z");
const at = (hours: number) => toDate(START + hours * HOUR);
const leave = (visits: Parameters<typeof formatVisits>[0], hours: number) =>
  `session=x; ${formatVisits(visits, at(hours)).split(";")[0]}`;

describe("visits of the overview", () => {
  it("have no last one on the first visit, nor within it", () => {
    expect(readVisits("", at(0))).toEqual({ list: "", lastVisit: null });
    expect(readVisits(leave({ list: "", lastVisit: null }, 0), at(0.5)).lastVisit).toBeNull();
  });

  it("keep the end of the visit before, until the reader was away for an hour", () => {
    const second = readVisits(leave({ list: LIST, lastVisit: null }, 0), at(20));
    expect(second).toEqual({ list: LIST, lastVisit: at(0).toISOString() });
    expect(readVisits(leave(second, 20), at(20.5)).lastVisit).toBe(at(0).toISOString());
    expect(readVisits(leave(second, 20.5), at(44)).lastVisit).toBe(at(20.5).toISOString());
  });

  it("ignore a cookie that they did not write", () => {
    expect(readVisits("overview=x.y.z", at(0)).lastVisit).toBeNull();
  });
});
