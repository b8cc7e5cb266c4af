import { describe, expect, it } from "vitest";
import { DiscoverQuery } from "@/features/discovery/schema";
import { DEFAULTS, findBoundProblems, findNicheProblem, formatSize, isFiltered, toQuery } from "./search";

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

  it("says the chosen size in few digits, and whether anything is filtered", () => {
    const sizes = [
      { min: "1000", max: "2,000,000" },
      { min: "10 000", max: "" },
      { min: "", max: "500" },
      { min: "", max: "" },
    ];
    expect(sizes.map((size) => formatSize(makeSearch(size)))).toEqual(["1K to 2M", "10K or more", "Up to 500", "Size"]);
    expect([{}, { sort: "subscribers" }, { top: "1" }].map((given) => isFiltered(makeSearch(given)))).toEqual([
      false,
      false,
      true,
    ]);
  });
});
