import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAxis, createPercentAxis } from "./axis";

const listLabels = (...counts: number[]) => {
  const { ticks, format } = createAxis(counts);
  return ticks.map(format);
};

describe("chart axis", () => {
  it("has distinct labels for a large count that hardly changes", () => {
    expect(listLabels(11_700_000, 11_720_000)).toEqual(["11.4M", "11.6M", "11.8M", "12M"]);
    expect(listLabels(987_654, 987_660)).toEqual(["960K", "970K", "980K", "990K", "1M", "1.01M"]);
  });

  it("has whole numbers for small counts", () => {
    expect(listLabels(0)).toEqual(["0", "1"]);
    expect(listLabels(2, 5)).toEqual(["2", "3", "4", "5"]);
  });

  it("covers all counts between evenly spaced, distinct ticks", () => {
    const counts = fc.array(fc.nat(5_000_000_000), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(counts, (given) => {
        const { ticks, format, share } = createAxis(given);
        for (const count of given) expect(share(count) >= 0 && share(count) <= 1).toBe(true);
        const steps = ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0));
        expect(new Set(steps).size).toBe(1);
        expect(new Set(ticks.map(format)).size).toBe(ticks.length);
        expect(ticks.length).toBeLessThanOrEqual(7);
      }),
    );
  });
});

describe("logarithmic axis", () => {
  it("has powers of ten where the counts differ much, and even ticks elsewhere", () => {
    const { ticks, format } = createAxis([900, 64_000], "log");
    expect(ticks.map(format)).toEqual(["1K", "2K", "5K", "10K", "20K", "50K"]);
    expect(createAxis([110_000, 121_000], "log").ticks.map(format)).toEqual([
      "110K",
      "112K",
      "114K",
      "116K",
      "118K",
      "120K",
    ]);
  });

  it("gives equal ratios equal distances, and places zero at the lower end", () => {
    const { share } = createAxis([0, 100_000], "log");
    expect(share(100) - share(10)).toBeCloseTo(share(10_000) - share(1000), 9);
    expect([share(0), share(1), share(100_000)]).toEqual([0, 0, 1]);
  });

  it("covers all counts between distinct ticks", () => {
    const counts = fc.array(fc.nat(5_000_000_000), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(counts, (given) => {
        const { ticks, format, share } = createAxis(given, "log");
        for (const count of given) expect(share(count) >= 0 && share(count) <= 1 + 1e-9).toBe(true);
        expect(new Set(ticks.map(format)).size).toBe(ticks.length);
        expect(ticks.length).toBeLessThanOrEqual(11);
      }),
    );
  });
});

describe("percent axis", () => {
  const listShown = (...percents: number[]) => {
    const { ticks, format } = createPercentAxis(percents);
    return ticks.map(format);
  };

  it("has signs, always zero, and decimals only where ticks need them", () => {
    expect(listShown(-3, 12)).toEqual(["−5%", "0%", "+5%", "+10%", "+15%"]);
    expect(listShown(0.2, 0.9)).toEqual(["0%", "+0.2%", "+0.4%", "+0.6%", "+0.8%", "+1.0%"]);
    expect(listShown(0)).toEqual(["0%", "+0.2%", "+0.4%", "+0.6%", "+0.8%", "+1.0%"]);
    expect(listShown(-40, -2)).toEqual(["−40%", "−30%", "−20%", "−10%", "0%"]);
  });

  it("covers all values on both scales", () => {
    const percents = fc.array(fc.double({ min: -100, max: 5000, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(percents, fc.constantFrom("linear", "log"), (given, scale) => {
        const { ticks, format, share } = createPercentAxis(given, scale);
        for (const percent of given.filter((value) => value > -99))
          expect(share(percent) >= -1e-9 && share(percent) <= 1 + 1e-9).toBe(true);
        expect(ticks).toContain(0);
        expect(new Set(ticks.map(format)).size).toBe(ticks.length);
      }),
    );
  });
});
