import { createHash } from "node:crypto";
import { eq, getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "@/core/time";
import * as schema from "@/db/schema";
import { alertEmails, alerts, apiKeys, trackedCreators } from "@/db/schema";
import { trackCreator } from "@/features/creators/service";
import { beginSession } from "@/features/sessions/service";
import { createKey, type TestKey, useService } from "@/test/service";
import { OverlapInput, rotateKey } from "./rotation.service";
import { formatKeyHint, generateKey } from "./rules";
import {
  authenticate,
  countKeyData,
  deleteKey,
  findKey,
  getKeyFacts,
  issueKey,
  listKeys,
  requireActiveKey,
  revokeKey,
  setTier,
  signInKey,
} from "./service";

const UNAUTHORIZED = { code: "unauthorized", message: "Invalid API key" };

describe("keys", () => {
  const service = useService();

  /** Gives a key one of everything that can belong to one, and a counted request. */
  async function fill(key: TestKey): Promise<void> {
    const handle = "@juniperfivecrits";
    const { channel_id: channelId } = await trackCreator(service, key.id, { kind: "handle", handle });
    const now = service.clock.now();
    await service.db.insert(alertEmails).values({ keyId: key.id, email: "a@scouts.example", setAt: now });
    await service.db.insert(alerts).values({
      keyId: key.id,
      channelId,
      day: "2026-03-10",
      subscribersBefore: 100,
      subscribersAfter: 120,
      severity: "RISING FAST",
      message: "It grew",
      createdAt: now,
    });
    await service.quota.take(key.id, 50);
  }

  /** Every row of every table, as text. */
  async function dump(): Promise<string> {
    const tables = Object.values(schema).filter((value) => is(value, PgTable));
    const rows = tables.map((table) => {
      const name = sql.identifier(getTableName(table));
      return service.db.execute<{ row: string }>(sql`select ${name}::text as row from ${name}`);
    });
    return (await Promise.all(rows))
      .flat()
      .map(({ row }) => row)
      .join("\n");
  }

  async function countRows(keyId: string): Promise<number> {
    return (await dump()).split("\n").filter((row) => row.includes(keyId)).length;
  }

  describe("issuing keys", () => {
    it("stores the SHA-256 of the secret and a hint, and the secret nowhere", async () => {
      const { record, secret } = await issueKey(service, { tier: "starter", label: "Acme Scouts" });
      const [row] = await service.db.select().from(apiKeys).where(eq(apiKeys.id, record.id));
      expect(row).toEqual({
        id: record.id,
        secretHash: createHash("sha256").update(secret).digest("hex"),
        hint: formatKeyHint(secret),
        label: "Acme Scouts",
        tier: "starter",
        createdAt: service.clock.now(),
        rotatedAt: null,
        previousSecretHash: null,
        previousWorksUntil: null,
        revokedAt: null,
      });
      const stored = await dump();
      expect(stored).toContain(record.id);
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(secret.slice(7, -4));
    });

    it("gives every key an id and a secret of its own", async () => {
      const issued = await Promise.all(Array.from({ length: 20 }, () => createKey(service)));
      expect(new Set(issued.map(({ id }) => id)).size).toBe(20);
      expect(new Set(issued.map(({ secret }) => secret)).size).toBe(20);
    });
  });

  describe("authentication", () => {
    it("authenticates a key by its secret and returns its tier", async () => {
      const { id, secret } = await createKey(service, "pro");
      expect(await authenticate(service, secret)).toEqual({
        id,
        tier: "pro",
      });
    });

    it("refuses a missing, mistyped, unknown or padded key, or an id or hash, all alike", async () => {
      const { id, secret } = await createKey(service);
      const hash = createHash("sha256").update(secret).digest("hex");
      const mistyped = `${secret.slice(0, -1)}${secret.endsWith("a") ? "b" : "a"}`;
      for (const presented of [null, "", mistyped, generateKey(), ` ${secret}`, `${secret}\n`, id, hash])
        await expect(authenticate(service, presented)).rejects.toMatchObject(UNAUTHORIZED);
    });
  });

  describe("revocation", () => {
    it("revokes a key at once and keeps its data", async () => {
      const key = await createKey(service);
      await fill(key);
      const rows = await countRows(key.id);
      const record = await revokeKey(service, key.id);
      expect(record.revokedAt).toEqual(service.clock.now());
      await expect(authenticate(service, key.secret)).rejects.toMatchObject(UNAUTHORIZED);
      expect(await countRows(key.id)).toBe(rows);
    });

    it("keeps the first time when a key is revoked again", async () => {
      const { id } = await createKey(service);
      const { revokedAt } = await revokeKey(service, id);
      service.clock.advance(MINUTE);
      expect((await revokeKey(service, id)).revokedAt).toEqual(revokedAt);
    });

    it("leaves other keys active", async () => {
      const [revoked, other] = [await createKey(service), await createKey(service)];
      await revokeKey(service, revoked.id);
      expect(await authenticate(service, other.secret)).toMatchObject({ id: other.id });
    });
  });

  describe("rotation", () => {
    it("ends the old secret at once and keeps record, data and the day's usage", async () => {
      const key = await createKey(service, "starter");
      await fill(key);
      const before = await findKey(service, key.id);
      const data = await countKeyData(service, key.id);
      service.clock.advance(MINUTE);
      const { record, secret } = await rotateKey(service, key.id);
      await expect(authenticate(service, key.secret)).rejects.toMatchObject(UNAUTHORIZED);
      expect(await authenticate(service, secret)).toEqual({
        id: key.id,
        tier: "starter",
      });
      const changed = { hint: formatKeyHint(secret), rotatedAt: service.clock.now() };
      expect(record).toEqual({ ...before, ...changed });
      expect(await countKeyData(service, key.id)).toEqual(data);
      expect(await service.quota.take(key.id, 50)).toEqual({ granted: true, used: 2 });
      expect(await dump()).not.toContain(secret);
    });

    it("accepts both secrets during an overlap, until the old one ends to the millisecond", async () => {
      const { id, secret: old } = await createKey(service);
      const { record, secret } = await rotateKey(service, id, HOUR);
      const end = new Date(service.clock.now().getTime() + HOUR);
      expect(record.previousWorksUntil).toEqual(end);
      service.clock.set(new Date(end.getTime() - 1));
      for (const each of [old, secret]) expect(await authenticate(service, each)).toMatchObject({ id });
      expect(await getKeyFacts(service, record.id)).toMatchObject({
        previous_key_works_until: end.toISOString(),
      });
      service.clock.set(end);
      await expect(authenticate(service, old)).rejects.toMatchObject(UNAUTHORIZED);
      expect(await authenticate(service, secret)).toMatchObject({ id });
      expect(await getKeyFacts(service, record.id)).toMatchObject({ previous_key_works_until: null });
    });

    it("keeps at most one old secret, and none after a rotation without overlap", async () => {
      const { id, secret: first } = await createKey(service);
      const { secret: second } = await rotateKey(service, id, HOUR);
      const { secret: third } = await rotateKey(service, id, HOUR);
      await expect(authenticate(service, first)).rejects.toMatchObject(UNAUTHORIZED);
      for (const each of [second, third]) expect(await authenticate(service, each)).toMatchObject({ id });
      const { secret: fourth } = await rotateKey(service, id);
      for (const each of [second, third]) await expect(authenticate(service, each)).rejects.toMatchObject(UNAUTHORIZED);
      expect(await authenticate(service, fourth)).toMatchObject({ id });
    });

    it("ends a session with its old secret, and both secrets when the key is revoked", async () => {
      const { id, secret: old } = await createKey(service);
      const begun = await signInKey(service, old);
      const session = { id: await beginSession(service, begun.id), stamp: begun.stamp };
      const { secret } = await rotateKey(service, id, HOUR);
      expect(await requireActiveKey(service, id, session)).toMatchObject({ id });
      service.clock.advance(HOUR);
      await expect(requireActiveKey(service, id, session)).rejects.toMatchObject(UNAUTHORIZED);
      const { secret: next } = await rotateKey(service, id, HOUR);
      await revokeKey(service, id);
      for (const each of [secret, next]) await expect(authenticate(service, each)).rejects.toMatchObject(UNAUTHORIZED);
    });

    it.each([
      ["1m", MINUTE],
      ["24h", 24 * HOUR],
      ["30d", 30 * 24 * HOUR],
    ])("accepts an overlap of %s", (text, milliseconds) => {
      expect(OverlapInput.parse(text)).toBe(milliseconds);
    });

    it.each(["", "0h", "31d", "24", "1.5h", "-1h", "1w", "24 h", "721h"])("refuses an overlap of %j", (text) => {
      expect(OverlapInput.safeParse(text).error?.issues[0]?.message).toContain("from 1m to 30d");
    });

    it("refuses to rotate a revoked key, which stays revoked", async () => {
      const { id, secret } = await createKey(service);
      const revoked = await revokeKey(service, id);
      await expect(rotateKey(service, id)).rejects.toMatchObject({ code: "invalid_request" });
      expect(await findKey(service, id)).toEqual(revoked);
      await expect(authenticate(service, secret)).rejects.toMatchObject(UNAUTHORIZED);
    });

    it("leaves one working secret after parallel rotations", async () => {
      const { id } = await createKey(service);
      const rotations = await Promise.all(Array.from({ length: 5 }, () => rotateKey(service, id)));
      const logins = await Promise.allSettled(rotations.map(({ secret }) => authenticate(service, secret)));
      expect(logins.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
  });

  it("changes a key's tier for the next request, and nothing else", async () => {
    const { id, secret } = await createKey(service, "free");
    const before = await findKey(service, id);
    expect(await setTier(service, id, "pro")).toEqual({ ...before, tier: "pro" });
    expect(await authenticate(service, secret)).toEqual({
      id,
      tier: "pro",
    });
  });

  it("deletes a key with all of its data, and nothing of other keys", async () => {
    const [gone, other] = [await createKey(service), await createKey(service)];
    await Promise.all([fill(gone), fill(other)]);
    const others = await countRows(other.id);
    const channels = await service.db.$count(schema.channels);
    await deleteKey(service, gone.id);
    expect(await countRows(gone.id)).toBe(0);
    expect(await countRows(other.id)).toBe(others);
    expect(await service.db.$count(schema.channels)).toBe(channels);
    expect(await service.db.$count(trackedCreators, eq(trackedCreators.keyId, other.id))).toBe(1);
    await expect(authenticate(service, gone.secret)).rejects.toMatchObject(UNAUTHORIZED);
  });

  it("cascades the delete of a key or alert to every table that refers to it", async () => {
    const referring = await service.db.execute(sql`
      select attrelid::regclass::text as name, confdeltype = 'c' as cascades
      from pg_attribute join pg_class on pg_class.oid = attrelid and relkind = 'r'
      left join pg_constraint on conrelid = attrelid and conkey = array[attnum] and contype = 'f'
      where attname in ('key_id', 'alert_id') and relnamespace = 'public'::regnamespace`);
    expect(referring.length).toBeGreaterThanOrEqual(5);
    for (const table of referring) expect(table).toMatchObject({ cascades: true });
  });

  it("lists keys newest first, including revoked ones, without their secrets", async () => {
    service.clock.advance(MINUTE);
    const first = await createKey(service);
    service.clock.advance(MINUTE);
    const second = await createKey(service);
    await revokeKey(service, first.id);
    const listed = await listKeys(service);
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id]);
    const times = listed.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(JSON.stringify(listed)).not.toMatch(/[0-9a-f]{64}|secret/i);
  });

  it("returns when a key was last used: null, then its last counted request of any day", async () => {
    const { id } = await createKey(service);
    expect((await findKey(service, id)).lastUsedAt).toBeNull();
    for (const instant of ["2026-03-20T10:00:00.000Z", "2026-03-21T01:02:03.456Z"]) {
      service.clock.set(instant);
      await service.quota.take(id, 1);
    }
    service.clock.advance(MINUTE);
    await service.quota.take(id, 1);
    expect((await findKey(service, id)).lastUsedAt?.toISOString()).toBe("2026-03-21T01:02:03.456Z");
  });

  it("answers not_found for an id that no key has", async () => {
    const unknown = { code: "not_found", message: 'No key has the id "key_nobody".' };
    await expect(findKey(service, "key_nobody")).rejects.toMatchObject(unknown);
    await expect(setTier(service, "key_nobody", "pro")).rejects.toMatchObject(unknown);
    await expect(revokeKey(service, "key_nobody")).rejects.toMatchObject(unknown);
    await expect(rotateKey(service, "key_nobody")).rejects.toMatchObject(unknown);
    await expect(deleteKey(service, "key_nobody")).rejects.toMatchObject(unknown);
  });
});
