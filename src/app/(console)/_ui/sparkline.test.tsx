import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { chooseScale, Sparkline } from "./sparkline";

const draw = (...counts: (number | null)[]) => renderToStaticMarkup(<Sparkline counts={counts} />);
const getEndHeight = (...counts: number[]) => Number(/M[\d.]+ ([\d.]+)h0/.exec(draw(...counts))?.[1]);
const countPaths = (...counts: number[]) => draw(...counts).match(/<path/g)?.length;

describe("sparkline", () => {
  it("draws the same percentage at the same height, whatever the counts", () => {
    expect(getEndHeight(1000, 1100)).toBeCloseTo(getEndHeight(4_000_000, 4_400_000));
  });

  it("draws one step of the platform's rounding as nearly flat", () => {
    expect(getEndHeight(11_700_000) - getEndHeight(11_700_000, 11_800_000)).toBeLessThan(0.5);
  });

  it("shows whether the count rose, fell or stayed the same", () => {
    expect(draw(100, 120, 101)).toContain('data-direction="up"');
    expect(draw(100, 120, 99)).toContain('data-direction="down"');
    expect(draw(100, 120, 100)).toContain('data-direction="flat"');
  });

  it("leaves a gap for each missing day and draws a dot for a single day", () => {
    const line = / d="([^"]*)"/.exec(draw(100, 101, null, 102, null, 103, 104).split("<path")[3] ?? "")?.[1];
    expect(line?.match(/M/g)).toHaveLength(3);
    expect(line?.match(/M[\d.,]+Z/g)).toHaveLength(1);
  });

  it("marks the ends of the scale where the line leaves it", () => {
    const unmarked = countPaths(100, 139) ?? 0;
    expect(countPaths(100, 200, 210)).toBe(unmarked + 1);
    expect(countPaths(100, 80, 200)).toBe(unmarked + 2);
  });

  it("has the smallest scale that holds 9 of 10 lines of a table", () => {
    expect(chooseScale([[100, 139]])).toBe(40);
    expect(
      chooseScale([
        [100, 139],
        [100, 170],
      ]),
    ).toBe(80);
    expect(chooseScale([...new Array(9).fill([100, 120]), [100, 900]])).toBe(40);
    expect(chooseScale([[100, 900]])).toBe(150);
  });

  it("is empty without a known count or when it starts at zero", () => {
    expect(draw() + draw(null, null) + draw(0, 5)).toBe("");
  });
});
