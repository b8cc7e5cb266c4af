import { expect, it } from "vitest";
import { spansOf, VIEW_DEFAULTS, viewOf } from "./view-state";

const id = (letter: string) => `UC${letter.repeat(22)}`;

it("reads from the address what it can mean, each creator once and not itself", () => {
  const given = [
    id("a"),
    "nonsense",
    id("b"),
    id("a"),
    id("own").slice(0, 24),
    "",
    id("c"),
    id("d"),
    id("e"),
  ];
  const own = id("own").slice(0, 24);
  expect(
    viewOf({ ...VIEW_DEFAULTS, with: given.join(), scale: "log", of: "views", before: "yes" }, own),
  ).toEqual({
    measure: "views",
    scale: "log",
    compared: ["a", "b", "c", "d"].map(id),
    isBeforeShown: true,
  });
  expect(viewOf({ ...VIEW_DEFAULTS, scale: "x", of: "x" }, own)).toEqual({
    measure: "subscribers",
    scale: "linear",
    compared: [],
    isBeforeShown: false,
  });
});

it("offers no period that readings do not reach", () => {
  const offered = (days: number) => spansOf(days).map(({ value }) => value);
  expect([3, 30, 31, 91].map(offered)).toEqual([
    ["7", "30"],
    ["7", "30"],
    ["7", "30", "90"],
    ["7", "30", "90", "all"],
  ]);
});
