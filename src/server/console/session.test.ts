import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "@/core/time";
import { consoleSessions } from "@/db/schema";
import { listAuditEntries } from "@/features/keys/audit.service";
import { rotateKey } from "@/features/keys/rotation.service";
import { deleteKey, revokeKey } from "@/features/keys/service";
import { MAX_SESSIONS } from "@/features/sessions/rules";
import { beginSession, purgeSessions } from "@/features/sessions/service";
import { useProcedures } from "@/test/console";
import { createKey, type TestKey } from "@/test/service";

describe("console sessions", () => {
  const { service, reader, call, query, change, signIn, usedToday } = useProcedures();

  it("are kept in a cookie that scripts cannot read and other sites cannot send", async () => {
    const { status, set } = await signIn();
    expect(status).toBe(200);
    expect(set).toMatch(/^session=Fe26\.2\S+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
    expect(set).not.toContain(reader.key.secret);
    expect((await query("keys.mine")).result?.data).toMatchObject({
      label: "Test",
      tier: "free",
      last_used_at: null,
    });
  });

  it("end with their key: revoked, rotated or deleted", async () => {
    for (const end of [revokeKey, rotateKey, deleteKey]) {
      reader.key = await createKey(service, "free");
      await signIn();
      expect((await query("keys.mine")).status).toBe(200);
      await end(service, reader.key.id);
      expect((await query("keys.mine")).status).toBe(401);
    }
  });

  it("end on sign-out, also for copies of the cookie", async () => {
    await signIn();
    const copy = reader.cookie;
    await signIn();
    const other = reader.cookie;
    // Signing in again ends the session that the browser had.
    reader.cookie = copy;
    expect((await query("keys.mine")).status).toBe(401);
    reader.cookie = other;
    expect((await query("keys.mine")).status).toBe(200);
    const { response } = await change("sessions.signOut");
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
    expect((await query("keys.mine")).status).toBe(401);
    expect((await change("sessions.signOut")).status).toBe(200);
  });

  it("keep the key's other sessions on sign-out", async () => {
    await signIn();
    const elsewhere = reader.cookie;
    reader.cookie = "";
    await signIn();
    await change("sessions.signOut");
    reader.cookie = elsewhere;
    expect((await query("keys.mine")).status).toBe(200);
  });

  it("all end when their owner ends them, those of other keys stay, and the key's log says from where", async () => {
    reader.key = await createKey(service);
    const other = await beginSession(service, reader.key.id);
    reader.key = await createKey(service);
    await signIn();
    const elsewhere = reader.cookie;
    reader.cookie = "";
    await signIn();
    const { response } = await change("sessions.endAll");
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; .*Max-Age=0/)]);
    for (const cookie of [reader.cookie, elsewhere]) {
      reader.cookie = cookie;
      expect((await query("keys.mine")).status).toBe(401);
    }
    expect(await service.db.$count(consoleSessions, eq(consoleSessions.id, other))).toBe(1);
    const entries = await listAuditEntries(service, reader.key.id, 10);
    expect(entries.map(({ action }) => action)).toEqual(["sessions_ended", "signed_in", "signed_in"]);
    for (const entry of entries)
      expect(entry).toMatchObject({ actor: "owner", source: expect.stringMatching(/\S/), outcome: "done" });
  });

  it("start a new session with each sign-in", async () => {
    reader.cookie = "session=chosen-by-somebody-else";
    const { set } = await signIn();
    const first = reader.cookie;
    reader.cookie = "session=chosen-by-somebody-else";
    await signIn();
    expect(set).not.toContain("chosen-by-somebody-else");
    expect(reader.cookie).not.toBe(first);
  });

  it("refuse calls of a page that was made for another key, except sign-out", async () => {
    await signIn();
    const createPageHeader = ({ id }: TestKey) => ({ "X-Page-Key": id });
    const other = createPageHeader(await createKey(service, "free"));
    for (const [method, procedure, input] of [
      ["GET", "keys.mine", undefined],
      ["GET", "usage.today,keys.mine?batch=1", undefined],
      ["POST", "addresses.set", { email: "scout@example.com" }],
      ["POST", "discovery.discover", { niche: "gaming" }],
    ] as const) {
      const answer = await call(method, procedure, input, other);
      expect(answer.status, procedure).toBe(401);
      expect([answer.body].flat()).toContainEqual({
        error: expect.objectContaining({
          message: "Sign in with your API key",
          data: expect.objectContaining({ code: "UNAUTHORIZED" }),
        }),
      });
    }
    expect(await usedToday()).toEqual({ requests_today: 0 });
    expect((await query("addresses.get")).result?.data).toMatchObject({ email: null });
    expect((await call("GET", "keys.mine", undefined, createPageHeader(reader.key))).status).toBe(200);
    expect((await call("POST", "sessions.signOut", {}, other)).status).toBe(200);
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("are limited to the newest hundred of a key, for at most a month", async () => {
    await signIn();
    service.clock.advance(1);
    for (let more = 0; more < MAX_SESSIONS; more++) await beginSession(service, reader.key.id);
    expect((await query("keys.mine")).status).toBe(401);
    const count = () => service.db.$count(consoleSessions, eq(consoleSessions.keyId, reader.key.id));
    expect(await count()).toBe(MAX_SESSIONS);
    service.clock.advance(30 * DAY);
    await purgeSessions(service);
    expect(await count()).toBe(0);
  });

  it("end a week after the last use, or after a month", async () => {
    await signIn();
    service.clock.advance(7 * DAY);
    expect((await query("keys.mine")).status).toBe(401);
    await signIn();
    for (let day = 0; day < 29; day++) {
      service.clock.advance(DAY);
      const { status, response } = await query("keys.mine");
      expect(status).toBe(200);
      reader.cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    }
    service.clock.advance(DAY);
    expect((await query("keys.mine")).status).toBe(401);
  });

  it("renew the cookie of a session in use, at most hourly", async () => {
    await signIn();
    service.clock.advance(HOUR - 1);
    expect((await query("keys.mine")).response.headers.getSetCookie()).toEqual([]);
    service.clock.advance(1);
    expect((await query("keys.mine")).response.headers.getSetCookie()).toHaveLength(1);
  });

  it("are limited to a hundred when many start at once", async () => {
    const begun = await Promise.all(Array.from({ length: 130 }, () => beginSession(service, reader.key.id)));
    expect(new Set(begun).size).toBe(130);
    const rows = await service.db
      .select({ id: consoleSessions.id })
      .from(consoleSessions)
      .where(eq(consoleSessions.keyId, reader.key.id));
    expect(rows).toHaveLength(MAX_SESSIONS);
  });

  it("accept only one form of a cookie", async () => {
    await signIn();
    for (const more of ["x", "~2", "~"]) {
      const answer = await call("GET", "keys.mine", undefined, { Cookie: reader.cookie + more });
      expect(answer.status).toBe(401);
    }
    expect((await query("keys.mine")).status).toBe(200);
  });

  it("refuse two session cookies, and end both sessions on sign-out", async () => {
    await signIn();
    const one = reader.cookie;
    await signIn();
    const both = { Cookie: `${one}; ${reader.cookie}` };
    expect((await call("GET", "keys.mine", undefined, both)).status).toBe(401);
    expect((await call("POST", "sessions.signOut", undefined, both)).status).toBe(200);
    for (const Cookie of [one, reader.cookie])
      expect((await call("GET", "keys.mine", undefined, { Cookie })).status).toBe(401);
  });

  it("count wrong keys per address for 15 minutes, and always accept a valid one", async () => {
    const signInWrongly = (address: string) =>
      call("POST", "sessions.signIn", { key: "cg_wrong" }, { "X-Client-Address": address });
    for (let tried = 0; tried < 10; tried++) expect((await signInWrongly("198.51.100.1")).status).toBe(400);
    expect(await signInWrongly("198.51.100.1")).toMatchObject({
      status: 429,
      error: { data: { issues: [{ field: "key", message: "was wrong too often. Try again in 15 min." }] } },
    });
    expect((await signInWrongly("198.51.100.2")).status).toBe(400);
    const right = await call(
      "POST",
      "sessions.signIn",
      { key: reader.key.secret },
      { "X-Client-Address": "198.51.100.1" },
    );
    expect(right.status).toBe(200);
    service.clock.advance(15 * MINUTE);
    expect((await signInWrongly("198.51.100.1")).status).toBe(400);
  });
});
