import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { afterAll, describe, expect, inject, it } from "vitest";
import { connect } from "@/db/client";
import { listMissingMigrations } from "@/db/migrate";
import { runCli } from "@/test/programs";

const SESSION_SECRET = "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL";

describe("npm run migrate", () => {
  const client = postgres(inject("databaseUrl"), { onnotice: () => {} });
  afterAll(() => client.end());

  it("migrates an empty database around the pooler, and changes nothing the second time", async () => {
    const name = `test_${randomBytes(8).toString("hex")}`;
    await client.unsafe(`create database ${name}`);
    const url = Object.assign(new URL(inject("databaseUrl")), { pathname: `/${name}` }).href;
    const variables = { SESSION_SECRET, DATABASE_URL: `${url}?pgbouncer=true`, DIRECT_DATABASE_URL: url };
    const migrated = { code: 0, stdout: "The database schema is up to date.\n" };
    expect(await runCli("migrate", [], variables)).toMatchObject(migrated);
    expect(await runCli("migrate", [], variables)).toMatchObject(migrated);
    const { db, close } = connect(url);
    expect(await listMissingMigrations(db)).toEqual([]);
    await close();
    await client.unsafe(`drop database ${name} with (force)`);
  });

  it.each([
    ["without DATABASE_URL", {}, /^Error: DATABASE_URL is not set. The embedded database is migrated when/],
    [
      "with a pooler alone",
      { SESSION_SECRET, DATABASE_URL: "postgres://u:hunter2@127.0.0.1:6543/db" },
      /^Error: Migrations cannot pass the transaction pooler .* set DIRECT_DATABASE_URL to/,
    ],
    [
      "with an address where no database listens",
      { SESSION_SECRET, DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/db" },
      /^Error: The database of DATABASE_URL cannot be migrated: /,
    ],
  ])("prints one line with the fix %s", async (_, variables, line) => {
    const { code, stdout, stderr } = await runCli("migrate", [], variables);
    expect(stderr).toMatch(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout + stderr).not.toContain("hunter2");
    expect(code).toBe(1);
  });
});
