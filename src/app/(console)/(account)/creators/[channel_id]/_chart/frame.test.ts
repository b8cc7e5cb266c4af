import { scaleLinear } from "d3-scale";
import { expect, it } from "vitest";
import { buildBandPath, buildStepPath } from "./frame";

const scales = { x: scaleLinear([0, 4], [0, 40]), y: (value: number) => 100 - value };

it("line with a gap is not drawn on a day without a snapshot", () => {
  expect(buildStepPath([1, 2, null, 4], scales)).toBe("M0,99L10,99L10,98L20,98M30,96L40,96");
  expect(buildStepPath([null, null], scales)).toBe("");
});

it("band of a line with a gap has the same gap", () => {
  expect(buildBandPath([1, 2, null, 4], [3, 4, null, 6], scales)).toBe(
    "M0,97L10,97L10,96L20,96L20,98L10,98L10,99L0,99ZM30,94L40,94L40,96L30,96Z",
  );
});
