import { expect, it } from "vitest";
import { findSections } from "./search";

const makeSection = (guide: string, heading: string, text: string) => ({
  guide,
  heading,
  href: heading,
  text,
});
const SECTIONS = [
  makeSection("Errors", "Request ids", "Every response has an X-Request-Id."),
  makeSection("Quota and limits", "Requests per day", "Each key has its own quota."),
  makeSection("Errors", "429", "Your key has used all its requests for today."),
];

it.each([
  ["", []],
  ["  ", []],
  ["quota", ["Requests per day"]],
  ["KEY requests", ["Requests per day", "429"]],
  ["errors 429", ["429"]],
  ["nothing like it", []],
])("finds the sections with all words of %j, headings first", (query, expected) => {
  expect(findSections(SECTIONS, query).map(({ heading }) => heading)).toEqual(expected);
});
