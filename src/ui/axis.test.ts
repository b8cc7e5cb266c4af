import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf } from "./axis";

const labels = (...counts: number[]) => {
  const { ticks, format } = axisOf(counts);
  return ticks.map(format);
};

describe("the axis of a chart", () => {
  it("has distinct labels for a large count that hardly moves", () => {
    expect(labels(11_700_000, 11_720_000)).toEqual(["11.4M", "11.6M", "11.8M", "12.0M"]);
    expect(labels(987_654, 987_660)).toEqual(["0.96M", "0.97M", "0.98M", "0.99M", "1.00M", "1.01M"]);
  });

  it("has whole numbers for small counts", () => {
    expect(labels(0)).toEqual(["0", "1"]);
    expect(labels(2, 5)).toEqual(["2", "3", "4", "5"]);
  });

  it("holds all counts between evenly spaced, distinct ticks", () => {
    const counts = fc.array(fc.nat(5_000_000_000), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(counts, (given) => {
        const { domain, ticks, format } = axisOf(given);
        expect(domain).toEqual([ticks[0], ticks.at(-1)]);
        for (const count of given) expect(count >= domain[0] && count <= domain[1]).toBe(true);
        const steps = ticks.slice(1).map((tick, place) => tick - (ticks[place] ?? 0));
        expect(new Set(steps).size).toBe(1);
        expect(new Set(ticks.map(format)).size).toBe(ticks.length);
        expect(ticks.length).toBeLessThanOrEqual(7);
      }),
    );
  });
});
