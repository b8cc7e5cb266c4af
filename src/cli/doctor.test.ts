import { describe, expect, inject, it } from "vitest";
import { runCli } from "@/test/programs";

const HOSTED = { SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL" };

describe("npm run doctor", () => {
  it("prints a table and exits with 0 when everything is fine", async () => {
    const { code, stdout } = await runCli("doctor", [], { ...HOSTED, DATABASE_URL: inject("databaseUrl") });
    expect(stdout).toMatch(/│ database +│ DATABASE_URL +│ ok +│ works, and its schema is up to date +│/);
    expect(code).toBe(0);
  });

  it("prints one JSON array with --json and exits with 1 when a check fails", async () => {
    const url = Object.assign(new URL(inject("databaseUrl")), { pathname: "/nothing" }).href;
    const { code, stdout } = await runCli("doctor", ["--json"], { ...HOSTED, DATABASE_URL: url });
    const says = "DATABASE_URL names a database that does not exist";
    expect(JSON.parse(stdout)).toContainEqual({
      part: "database",
      what: "DATABASE_URL",
      state: "wrong",
      says,
    });
    expect(code).toBe(1);
  });

  it("reports variables that stop the start in the same format", async () => {
    const { code, stdout } = await runCli("doctor", ["--json"], { UPSTASH_REDIS_REST_TOKEN: "token" });
    const says = "UPSTASH_REDIS_REST_URL must be set together with UPSTASH_REDIS_REST_TOKEN: Redis needs both";
    expect(JSON.parse(stdout)).toEqual([{ part: "variables", what: "environment", state: "wrong", says }]);
    expect(code).toBe(1);
  });
});
