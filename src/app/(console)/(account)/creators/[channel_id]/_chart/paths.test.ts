import { describe, expect, it } from "vitest";
import { buildBandPath, buildLinePath, buildStepPath, getIndexAt, getMiddle, listRuns } from "./paths";

const columns = { width: 40, days: 4 };
const y = (value: number) => 100 - value;

describe("line with a gap", () => {
  it("is not drawn on a day without a snapshot", () => {
    expect(buildStepPath([1, 2, null, 4], columns, y)).toBe("M0 99H10V98H20M30 96H40");
    expect(buildLinePath([1, 2, null, 4], columns, y)).toBe("M5 99L15 98M35 96h0");
    expect(buildStepPath([null, null], columns, y)).toBe("");
  });

  it("has a band with the same gap", () => {
    expect(buildBandPath([1, 2, null, 4], [3, 4, null, 6], columns, y)).toBe(
      "M0 99V97H10V96H20V98H10V99H0ZM30 96V94H40V96H30Z",
    );
  });

  it("consists of one run for each unbroken period", () => {
    expect(listRuns([null, 1, 2, null, null, 0, null])).toEqual([
      { from: 1, to: 3 },
      { from: 5, to: 6 },
    ]);
  });
});

it("finds the day below the pointer, also beside the chart", () => {
  expect([-5, 0, 9.9, 10, 39, 400].map((x) => getIndexAt(columns, x))).toEqual([0, 0, 0, 1, 3, 3]);
  for (const index of [0, 1, 2, 3]) expect(getIndexAt(columns, getMiddle(columns, index))).toBe(index);
});
