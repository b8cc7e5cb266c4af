import { expect, it } from "vitest";
import { parseView, VIEW_DEFAULTS } from "./view-state";

const makeId = (letter: string) => `UC${letter.repeat(22)}`;

it("parses valid values from the URL, each creator once and never itself", () => {
  const given = [
    makeId("a"),
    "nonsense",
    makeId("b"),
    makeId("a"),
    makeId("own").slice(0, 24),
    "",
    makeId("c"),
    makeId("d"),
    makeId("e"),
  ];
  const own = makeId("own").slice(0, 24);
  expect(parseView({ ...VIEW_DEFAULTS, with: given.join(), scale: "log", before: "yes" }, own)).toEqual({
    days: "30",
    scale: "log",
    compared: ["a", "b", "c", "d"].map(makeId),
    isBeforeShown: true,
  });
  expect(parseView({ ...VIEW_DEFAULTS, scale: "x" }, own)).toMatchObject({
    scale: "linear",
    compared: [],
    isBeforeShown: false,
  });
});
