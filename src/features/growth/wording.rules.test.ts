import { expect, it } from "vitest";
import { formatChance, formatShortRank } from "./wording.rules";

it.each([
  [7, 0.62, "62% chance of +5% this week"],
  [28, 0.1, "10% chance of +20% in 4 weeks"],
  [7, 0.004, "under 1% chance of +5% this week"],
  [7, 0.998, "over 99% chance of +5% this week"],
  [7, null, null],
] as const)("writes the chance over %i days of %s as %s", (days, chance, text) => {
  expect(formatChance(days, chance)).toBe(text);
});

it.each([
  [100, "top 1% for its size"],
  [96.2, "top 4% for its size"],
  [49.9, null],
  [null, null],
])("writes percentile %s as %s", (percentile, text) => {
  expect(formatShortRank(percentile)).toBe(text);
});
