import { stripVTControlCharacters } from "node:util";
import postgres from "postgres";
import { HOUR } from "@/core/time";
import { createClient } from "../client";
import { anonymous, expect, expectUnauthorized, requireValue, test } from "../fixtures";
import {
  DATA_DIR,
  findPostgresPid,
  getDatabaseUrl,
  type IssuedKey,
  issueKey,
  type KeyRecord,
  PORT,
  runKeys,
  runKeysJson,
} from "../product";

const KEY = /cg_[0-9A-Za-z]{39}/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN = "key_000000000000000000000000";

/** The record as `show`, `list`, `set-tier` and `revoke` print it: everything but the secret. */
function toRecord({ key, ...record }: IssuedKey): KeyRecord {
  return record;
}

test.describe("npm run keys while the product runs", () => {
  test("issue names a key without a label after the day", async () => {
    const { label, created_at } = await runKeysJson<IssuedKey>(["issue", "--tier", "free"]);
    expect(label).toBe(`Issued ${created_at.slice(0, 10)}`);
  });

  test("issue prints the key once, as an object with its id and details", async () => {
    const issued = await runKeysJson<IssuedKey>(["issue", "--tier", "starter", "--label", "  Acme “Scouts” 🔭 "]);
    expect(issued).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
      key: expect.stringMatching(new RegExp(`^${KEY.source}$`)),
      tier: "starter",
      label: "Acme “Scouts” 🔭",
      hint: `${issued.key.slice(0, 7)}…${issued.key.slice(-4)}`,
      requests_per_day: 500,
      created_at: expect.stringMatching(TIME),
      rotated_at: null,
      previous_key_works_until: null,
      revoked_at: null,
      last_used_at: null,
    });
    const { status, body } = await anonymous.get("/api/usage", { key: issued.key });
    expect([status, body.tier]).toEqual([200, "starter"]);
  });

  test("list and show never print a key again", async () => {
    const issued = await issueKey("free");
    const listed = await runKeysJson<KeyRecord[]>(["list"]);
    expect(JSON.stringify(listed)).not.toMatch(KEY);
    expect(listed.find(({ id }) => id === issued.id)).toEqual(toRecord(issued));
    const created = listed.map(({ created_at }) => created_at);
    expect(created).toEqual(created.toSorted().reverse());
    expect(await runKeysJson(["show", issued.id])).toMatchObject({ ...toRecord(issued) });
    for (const words of [["list"], ["show", issued.id]]) {
      const { code, stdout, stderr } = await runKeys(words);
      expect(code).toBe(0);
      expect(stdout).toContain(issued.id);
      expect(stdout + stderr).not.toMatch(KEY);
    }
  });

  test("issue prints a table and the key below it without --json", async () => {
    const { stdout } = await runKeys(["issue", "--tier", "pro", "--label", "Readable"]);
    const text = stripVTControlCharacters(stdout);
    for (const word of ["id", "label", "tier", "state", "Readable", "pro (2000/day)", "active", "never"])
      expect(text).toContain(word);
    expect(text.match(new RegExp(KEY, "g"))).toHaveLength(1);
    expect((await anonymous.get("/api/usage", { key: requireValue(KEY.exec(text)?.[0]) })).status).toBe(200);
    expect(stdout, "no colors where there is no terminal").toBe(text);
  });

  test("show prints when a key was last used", async ({ api }) => {
    const before = new Date().toISOString();
    await api.get("/api/usage");
    const { last_used_at } = await runKeysJson<KeyRecord>(["show", api.keyId]);
    expect(requireValue(last_used_at) >= before).toBe(true);
  });

  test("set-tier changes the tier from the key's next request on", async ({ api }) => {
    const record = await runKeysJson<KeyRecord>(["set-tier", api.keyId, "pro"]);
    expect(record).toMatchObject({ id: api.keyId, tier: "pro", requests_per_day: 2000 });
    expect((await api.get("/api/usage")).body).toMatchObject({ tier: "pro", requests_limit: 2000 });
  });

  test("revoke ends a key immediately and keeps its record; revoking again changes nothing", async ({ api }) => {
    const first = await runKeysJson<KeyRecord>(["revoke", api.keyId, "--yes"]);
    expect(first.revoked_at).toMatch(TIME);
    expectUnauthorized(await api.get("/api/usage"));
    expect(await runKeysJson(["revoke", api.keyId, "--yes"])).toEqual(first);
    expect(stripVTControlCharacters((await runKeys(["show", api.keyId])).stdout)).toContain("revoked 20");
  });

  test("rotate refuses a revoked key", async ({ api }) => {
    await runKeysJson(["revoke", api.keyId, "--yes"]);
    const { code, stdout, stderr } = await runKeys(["rotate", api.keyId, "--yes", "--json"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("revoked");
  });

  test("rotate gives the record a new secret, prints it once, and ends the old one immediately", async ({ api }) => {
    await api.post("/api/track", { channel_id: "@juniperfivecrits" });
    const rotated = await runKeysJson<IssuedKey>(["rotate", api.keyId, "--yes"]);
    expect(rotated).toMatchObject({ id: api.keyId, tier: "free", rotated_at: expect.stringMatching(TIME) });
    expect(rotated.key).not.toBe(api.key);
    expectUnauthorized(await api.get("/api/usage"));
    const { body } = await api.get("/api/usage", { key: rotated.key });
    expect(body).toMatchObject({ creators_tracked: 1, requests_today: 2 });
    expect((await runKeys(["show", api.keyId])).stdout).not.toMatch(KEY);
  });

  test("rotate --overlap keeps the old secret working, prints until when, and refuses other durations", async ({
    api,
  }) => {
    const { stderr } = await runKeys(["rotate", api.keyId, "--overlap", "31d"]);
    expect(stderr).toContain("1m to 30d");
    const rotated = await runKeysJson<IssuedKey>(["rotate", api.keyId, "--overlap", "24h", "--yes"]);
    const hours = Date.parse(rotated.previous_key_works_until ?? "") - Date.parse(rotated.rotated_at ?? "");
    expect(hours).toBe(24 * HOUR);
    for (const key of [api.key, rotated.key]) expect((await api.get("/api/usage", { key })).status).toBe(200);
    const { body } = await api.get("/api/usage", { key: rotated.key });
    expect(body).toMatchObject({ requests_today: 3 });
  });

  test("delete without a terminal refuses and deletes nothing without --yes", async ({ api }) => {
    const { code, stdout, stderr } = await runKeys(["delete", api.keyId]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("--yes");
    expect((await api.get("/api/usage")).status).toBe(200);
  });

  test("delete --yes deletes the key with all its data, and nothing of other keys", async ({ api, pro }) => {
    for (const client of [api, pro]) {
      await client.post("/api/track", { channel_id: "@juniperfivecrits" });
      await client.post("/api/alerts/email", { email: "scout@example.com" });
    }
    expect(await countRowsByTable(api.keyId)).toBeGreaterThanOrEqual(4);
    expect(await runKeysJson(["delete", api.keyId, "--yes"])).toEqual({ id: api.keyId, deleted: true });
    expectUnauthorized(await api.get("/api/usage"));
    expect((await runKeys(["show", api.keyId])).code).toBe(1);
    expect(await countRowsByTable(api.keyId)).toBe(0);
    expect(await countRowsByTable(pro.keyId)).toBeGreaterThanOrEqual(4);
  });

  const BAD_INPUT: [string[], string[]][] = [
    [["issue", "--label", "x"], ["--tier"]],
    [
      ["issue", "--tier", "gold", "--label", "x"],
      ["gold", "free, starter, pro"],
    ],
    [
      ["issue", "--tier", "free", "--label", " "],
      ["--label", "1 to 100"],
    ],
    [
      ["issue", "--tier", "free", "--label", "x".repeat(101)],
      ["--label", "1 to 100"],
    ],
    [
      ["issue", "--tier", "free", "--label", "a\nb"],
      ["--label", "control characters"],
    ],
    [
      ["set-tier", UNKNOWN, "gold"],
      ["gold", "free, starter, pro"],
    ],
    [["set-tier", UNKNOWN, "pro"], [UNKNOWN]],
    [["show", UNKNOWN], [UNKNOWN]],
    [["delete", UNKNOWN, "--yes"], [UNKNOWN]],
    [["list", "--limit", "5"], ["--limit"]],
    [["destroy"], ["destroy"]],
  ];
  for (const [words, named] of BAD_INPUT)
    test(`keys exits non-zero and lists what is allowed for: ${words.join(" ").slice(0, 50)}`, async () => {
      const { code, stdout, stderr } = await runKeys(words);
      expect(code).toBe(1);
      expect(stdout).toBe("");
      for (const word of named) expect(stderr).toContain(word);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
    });

  test("--help lists the commands", async () => {
    const { code, stdout } = await runKeys(["--help"]);
    expect(code).toBe(0);
    for (const word of ["issue", "list", "show", "set-tier", "revoke", "rotate", "delete"])
      expect(stdout).toContain(word);
  });
});

test.describe("npm run keys with no product running", () => {
  test("works on its own data folder and stops its database", async ({ site }) => {
    const empty = await runKeys(["list"], site.dataDir);
    expect([empty.code, empty.stderr]).toEqual([0, ""]);
    expect(empty.stdout).toMatch(/issue/);
    const issued = await issueKey("starter", site.dataDir);
    expect(await runKeysJson(["list"], site.dataDir)).toEqual([toRecord(issued)]);
    expect(findPostgresPid(site.dataDir)).toBeNull();

    // Keys of another service do not work here.
    expectUnauthorized(await createClient(PORT, issued.key).get("/api/usage"));
    await site.start();
    const { status, body } = await createClient(site.port, issued.key).get("/api/usage");
    expect([status, body.tier]).toEqual([200, "starter"]);
  });

  test("shares one database between concurrent commands", { tag: "@nightly" }, async ({ site }) => {
    const issued = await Promise.all(Array.from({ length: 4 }, () => issueKey("free", site.dataDir)));
    const listed = await runKeysJson<KeyRecord[]>(["list"], site.dataDir);
    expect(listed.map(({ id }) => id).sort()).toEqual(issued.map(({ id }) => id).sort());
    expect(findPostgresPid(site.dataDir)).toBeNull();
  });
});

/** Counts the rows of every table that refer to a key. */
async function countRowsByTable(keyId: string): Promise<number> {
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  try {
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public'`;
    let rows = 0;
    for (const { name } of tables) {
      const [counted] = await sql<{ n: number }[]>`
        select count(*)::int as n from ${sql(name)} as r where r::text like ${`%${keyId}%`}`;
      rows += counted?.n ?? 0;
    }
    return rows;
  } finally {
    await sql.end();
  }
}
