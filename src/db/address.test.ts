import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "drizzle-orm";
import { describe, expect, inject, it, vi } from "vitest";
import { readAddress } from "./address";
import { connect } from "./client";

const NEON = "postgres://u:p@ep-cool-1-pooler.eu.aws.neon.tech/db?sslmode=require&channel_binding=require";
const SUPABASE = "postgres://u.ref:p@aws-0-eu.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1";

describe("readAddress", () => {
  it.each([
    [NEON, true],
    [SUPABASE, true],
    [SUPABASE.replace("?pgbouncer=true&connection_limit=1", ""), true],
    ["postgres://u:p@bouncer.example/db?pgbouncer=true", true],
    ["postgres://u:p@bouncer.example:6432/db", true],
    ["postgres://u:p@bouncer.example:6432/db?pgbouncer=false", false],
    [`${NEON}&pgbouncer=false`, false],
    ["postgres://u:p@ep-cool-1.eu.aws.neon.tech/db", false],
    ["postgres://u:p@aws-0-eu.pooler.supabase.com:5432/postgres", false],
    ["postgres://u:p@localhost/db?pgbouncer=false", false],
  ])("detects in %s whether a transaction pooler is used: %s", (url, isPooled) => {
    expect(readAddress(url).isPooled).toBe(isPooled);
  });

  it.each([
    [NEON, false],
    [`${NEON}&prepare=true`, true],
    ["postgres://u:p@bouncer.example/db", true],
    ["postgres://u:p@bouncer.example/db?prepare=false", false],
  ])("prepares statements without a pooler, or as the address says: %s", (url, prepare) => {
    expect(readAddress(url).prepare).toBe(prepare);
  });

  it("keeps the server's own parameters and removes the others", () => {
    expect(readAddress(NEON).url).toBe("postgres://u:p@ep-cool-1-pooler.eu.aws.neon.tech/db");
    expect(readAddress("postgres://db/app?search_path=growth&sslmode=disable").url).toBe(
      "postgres://db/app?search_path=growth",
    );
  });

  it.each([
    ["postgres://localhost/db", false],
    ["postgres://127.0.0.1:5433/db", false],
    ["postgres://[::1]/db", false],
    ["postgres://database/db", false],
    ["postgres://10.0.0.7/db", "require"],
    ["postgres://db.example/db", "require"],
    ["postgres://db.example/db?sslmode=disable", false],
    ["postgres://db.example/db?sslmode=prefer", "prefer"],
    ["postgres://localhost/db?sslmode=require", "require"],
    ["postgres://db.example/db?sslmode=verify-full", { rejectUnauthorized: true }],
    [
      "postgres://db.example/db?sslmode=verify-ca",
      { rejectUnauthorized: true, checkServerIdentity: expect.any(Function) },
    ],
  ])("encrypts connections to other machines, or as sslmode says: %s", (url, ssl) => {
    expect(readAddress(url).ssl).toEqual(ssl);
  });

  it("trusts the certificate authority of sslrootcert", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-cert-"));
    const file = path.join(folder, "root.crt");
    await writeFile(file, "certificate");
    const url = `postgres://db.example/db?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`;
    expect(readAddress(url).ssl).toEqual({ ca: "certificate", rejectUnauthorized: true });
    await rm(folder, { recursive: true });
    expect(() => readAddress(url)).toThrow(/^DATABASE_URL names an sslrootcert that cannot be read/);
  });

  it("refuses an unknown sslmode without repeating the address", () => {
    const read = () => readAddress("postgres://u:hunter2@db.example/db?sslmode=maybe");
    expect(read).toThrow(/^DATABASE_URL has an unknown sslmode; use disable, /);
  });
});

describe("connect", () => {
  const readSettings = async (suffix: string) => {
    const { db, close } = connect(inject("databaseUrl") + suffix);
    const [row] = await db.execute<{ timeout: string; idle: string; zone: string; prepared: number }>(sql`
      select current_setting('statement_timeout') as timeout,
        current_setting('idle_in_transaction_session_timeout') as idle, current_setting('TimeZone') as zone,
        (select count(*)::int from pg_prepared_statements) as prepared`);
    await close();
    return row;
  };

  it("limits each statement and each pause in a transaction, and uses UTC", async () => {
    expect(await readSettings("")).toMatchObject({ timeout: "30s", idle: "1min", zone: "UTC" });
  });

  it("sets nothing in the sessions of a transaction pooler", async () => {
    expect(await readSettings("?pgbouncer=true")).toEqual({
      timeout: "0",
      idle: "0",
      zone: "UTC",
      prepared: 0,
    });
  });

  it.each([
    [true, 1],
    [false, 0],
  ])("lets a serverless host wait once for open connections: %s", async (serverless, times) => {
    const waitUntil = vi.fn<(work: Promise<unknown>) => void>();
    vi.stubGlobal(Symbol.for("@vercel/request-context") as unknown as string, {
      get: () => ({ waitUntil }),
    });
    const { db, close } = connect(inject("databaseUrl"), { serverless });
    await Promise.all(Array.from({ length: 20 }, () => db.execute(sql`select 1`)));
    await close();
    vi.unstubAllGlobals();
    expect(waitUntil).toHaveBeenCalledTimes(times);
  });
});
