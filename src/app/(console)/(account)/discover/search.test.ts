import { describe, expect, it } from "vitest";
import { DiscoverQuery } from "@/features/discovery/schema";
import { DEFAULTS, findBoundProblems, findNicheProblem, listActiveFilters, toQuery } from "./search";

const makeSearch = (change: Partial<typeof DEFAULTS>) => ({ ...DEFAULTS, niche: "gaming", ...change });

describe("search in the URL", () => {
  it("reports invalid values before a request is made", () => {
    expect(findNicheProblem("  ")).toContain("Enter a niche");
    expect(findNicheProblem("x".repeat(101))).toContain("at most 100");
    expect(findNicheProblem(` ${"x".repeat(100)} `)).toBeNull();
    expect(findBoundProblems({ min: "many", max: "" })).toHaveProperty("min");
    expect(findBoundProblems({ min: "", max: "1234567890123" })).toHaveProperty("max");
    expect(findBoundProblems({ min: "2,000", max: "1 000" })).toEqual({ min: "Must not exceed the maximum" });
    expect(findBoundProblems({ min: "0", max: "999 999 999" })).toEqual({});
  });

  it.each([
    {},
    { min: "10,000", max: "50 000", country: "us", sort: "growth_7d", rising: "1", page: "2" },
    { min: "many", country: "nowhere", sort: "fame", page: "1e99" },
    { min: "2,000", max: "1,000", page: "-1" },
  ])("is always accepted by the service, with %j in the URL", (change) => {
    expect(DiscoverQuery.safeParse(toQuery(makeSearch(change))).success).toBe(true);
  });

  it("describes its filters, each with the change that removes it", () => {
    const wanted = makeSearch({
      country: "CA",
      min: "1000",
      max: "50,000",
      rising: "1",
      top: "1",
      untracked: "1",
    });
    const filters = listActiveFilters(wanted);
    expect(filters.map(({ text }) => text)).toEqual([
      "Canada",
      "1,000 to 50,000 subscribers",
      "Rising only",
      "Rising for its size",
      "Not tracked yet",
    ]);
    const without = Object.assign({}, wanted, ...filters.map((filter) => filter.without));
    expect(listActiveFilters(without)).toEqual([]);
  });
});
