import { expect, it } from "vitest";
import { clipText, layOutColumn, layOutRow, listLabelledDays } from "./labels";

it("keeps labels inside the chart and omits those that would overlap", () => {
  expect(
    layOutRow(
      [
        { at: 5, width: 40 },
        { at: 195, width: 40 },
        { at: 30, width: 40 },
        { at: 100, width: 40 },
      ],
      200,
    ).map(({ center }) => center),
  ).toEqual([20, 180, null, 100]);
});

it("moves labels at the ends of lines apart, in the order of the lines", () => {
  const layOut = (...heights: number[]) => {
    const labels = heights.map((at) => ({ at }));
    return layOutColumn(labels, 15, 100).map(({ at }) => at);
  };
  expect(layOut(50, 10, 52)).toEqual([50, 10, 65]);
  expect(layOut(99, 98, 97)).toEqual([100, 85, 70]);
});

it("labels the days that fit, always including the last", () => {
  expect(listLabelledDays(7, 800, 60)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(listLabelledDays(30, 800, 60)).toEqual([1, 8, 15, 22, 29]);
  expect(listLabelledDays(1, 30, 60)).toEqual([0]);
});

it("truncates long names between whole characters", () => {
  expect(clipText("Kiln & Kettle", 20)).toBe("Kiln & Kettle");
  expect(clipText("🎮🎮🎮🎮", 3)).toBe("🎮🎮…");
});
