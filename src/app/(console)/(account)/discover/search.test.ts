import { describe, expect, it } from "vitest";
import { DiscoverQuery } from "@/features/discovery/schema";
import { asQuery, EMPTY_SEARCH, LIMITS, searchProblems } from "./search";

const search = (change: Partial<typeof EMPTY_SEARCH>) => ({ ...EMPTY_SEARCH, niche: "gaming", ...change });

describe("searchProblems", () => {
  it.each([
    [{ niche: "  " }, "niche"],
    [{ niche: "x".repeat(101) }, "niche"],
    [{ min: "many" }, "min"],
    [{ min: "-1" }, "min"],
    [{ max: "1.5" }, "max"],
    [{ max: "1234567890123" }, "max"],
    [{ min: "2,000", max: "1 000" }, "min"],
  ])("names the field that is wrong in %j", (change, field) => {
    expect(Object.keys(searchProblems(search(change)))).toEqual([field]);
  });

  it.each([
    {},
    { niche: ` ${"x".repeat(100)} ` },
    { min: "0", max: "0" },
    { min: "10,000", max: "999 999 999" },
    ...LIMITS.map((limit) => ({ limit })),
    { limit: "1e9" },
  ])("lets pass what the service takes: %j", (change) => {
    expect(searchProblems(search(change))).toEqual({});
    expect(DiscoverQuery.safeParse(asQuery(search(change))).success).toBe(true);
  });
});
