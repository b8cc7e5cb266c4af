import { describe, expect, it } from "vitest";
import { DiscoverQuery } from "@/features/discovery/schema";
import { activeFilters, asQuery, boundProblems, DEFAULTS, nicheProblem, suggestedNiche } from "./search";

const search = (change: Partial<typeof DEFAULTS>) => ({ ...DEFAULTS, niche: "gaming", ...change });

describe("a search", () => {
  it("names what is wrong before it costs a request", () => {
    expect(nicheProblem("  ")).toContain("Enter a niche");
    expect(nicheProblem("x".repeat(101))).toContain("at most 100");
    expect(nicheProblem(` ${"x".repeat(100)} `)).toBeNull();
    expect(boundProblems({ min: "many", max: "" })).toHaveProperty("min");
    expect(boundProblems({ min: "", max: "1234567890123" })).toHaveProperty("max");
    expect(boundProblems({ min: "2,000", max: "1 000" })).toEqual({ min: "Must not exceed the maximum" });
    expect(boundProblems({ min: "0", max: "999 999 999" })).toEqual({});
  });

  it.each([
    {},
    { min: "10,000", max: "50 000", country: "us", sort: "growth_7d", rising: "1", page: "2" },
    { min: "many", country: "nowhere", sort: "fame", view: "x", page: "1e99" },
    { min: "2,000", max: "1,000", page: "-1" },
  ])("is one that the service takes, whatever the URL holds: %j", (change) => {
    expect(DiscoverQuery.safeParse(asQuery(search(change))).success).toBe(true);
  });

  it("shows its filters in words, each with the change that removes it", () => {
    const wanted = search({
      country: "CA",
      min: "1000",
      max: "50,000",
      rising: "1",
      top: "1",
      untracked: "1",
    });
    const filters = activeFilters(wanted);
    expect(filters.map(({ text }) => text)).toEqual([
      "Canada",
      "1,000 to 50,000 subscribers",
      "Rising only",
      "Rising for its size",
      "Not tracked yet",
    ]);
    const without = Object.assign({}, wanted, ...filters.map((filter) => filter.without));
    expect(activeFilters(without)).toEqual([]);
  });
});

it("reads the niche that a hint suggests", () => {
  expect(suggestedNiche('Did you mean "gaming"?')).toBe("gaming");
  expect(suggestedNiche("Try another niche.")).toBeNull();
  expect(suggestedNiche(null)).toBeNull();
});
