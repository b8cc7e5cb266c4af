import { describe, expect, it } from "vitest";
import { formatGrowth } from "@/core/format";
import { computeGrowthPercent, GROWTH_BOUNDS, isHighGrowth } from "@/features/growth/rules";
import { classifySeverity, formatAlertMessage, isCertain, SEVERITY_SCALE } from "./rules";

describe("isHighGrowth", () => {
  it.each([
    [1000, 1100, false],
    [1000, 1101, true],
    [10, 11, false],
    [10, 12, true],
    [9, 10, true],
    [1, 1, false],
    [1, 2, true],
    [0, 1_000_000, false],
    [1000, 0, false],
    [500_000_000, 550_000_000, false],
    [500_000_000, 550_000_001, true],
    [5_640_860_484_317_455, 6_204_946_532_749_201, true],
  ])("alerts from %i to %i: %s", (before, after, alerts) => expect(isHighGrowth(before, after)).toBe(alerts));
});

describe("severity", () => {
  it.each([
    [1000, 1101, "WATCH"],
    [1000, 1149, "WATCH"],
    [1000, 1150, "RISING FAST"],
    [1000, 1249, "RISING FAST"],
    [1000, 1250, "SURGING"],
    [1000, 1499, "SURGING"],
    [1000, 1500, "EXPLOSIVE"],
    [7, 8, "WATCH"],
    [20, 23, "RISING FAST"],
    [3, 4, "SURGING"],
    [1, 500_000_000, "EXPLOSIVE"],
  ])("classifies growth from %i to %i as %s", (before, after, severity) =>
    expect(classifySeverity(before, after).severity).toBe(severity),
  );
});

describe("isCertain", () => {
  it("requires the lowest true growth to exceed 10 % too", () => {
    expect(isCertain(100, 111)).toBe(true);
    expect(isHighGrowth(1010, 1120) && isCertain(1010, 1120)).toBe(false);
    expect(isCertain(1000, 1120)).toBe(true);
  });
});

describe("alert message", () => {
  it.each([
    ["Some Maker", 1000, 1125, "Some Maker grew 12.5% in one day (1,000 → 1,125)"],
    ["x", 9, 10, "x grew 11.1% in one day (9 → 10)"],
    ["x", 1_000_000, 2_000_000, "x grew 100.0% in one day (1,000,000 → 2,000,000)"],
    ["x", 2000, 2201, "x grew 10.1% in one day (2,000 → 2,201)"],
  ])("writes the message for %s growing from %i to %i", (name, before, after, message) =>
    expect(formatAlertMessage(name, before, after)).toBe(message),
  );
});

describe("growth percent and severity", () => {
  it.each([
    [10_000, 11_001, "10.0", "WATCH"],
    [10_000, 11_497, "14.9", "WATCH"],
    [100_000_000, 114_999_999, "14.9", "WATCH"],
    [10_000, 11_500, "15.0", "RISING FAST"],
    [10_000, 12_499, "24.9", "RISING FAST"],
    [10_000, 12_500, "25.0", "SURGING"],
    [10_000, 14_999, "49.9", "SURGING"],
    [10_000, 15_000, "50.0", "EXPLOSIVE"],
    [10_000, 100_000_000, "999,900.0", "EXPLOSIVE"],
  ])(
    "shows growth from %i to %i as %s percent in message and console, with severity %s",
    (before, after, percent, severity) => {
      expect(classifySeverity(before, after).severity).toBe(severity);
      expect(formatAlertMessage("x", before, after)).toContain(`x grew ${percent}% in one day`);
      expect(formatGrowth(computeGrowthPercent(before, after) ?? 0)).toBe(`+${percent}%`);
    },
  );

  it("uses the growth bounds as the severity thresholds", () => {
    expect(SEVERITY_SCALE.map(({ from }) => from).toReversed()).toEqual(GROWTH_BOUNDS);
  });
});
