import { sql } from "drizzle-orm";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { createGate } from "@/core/http/gate";
import { rotateKey } from "@/features/keys/service";
import { sampleChannelId } from "@/platform/sample";
import { type Answer, answer, send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";
import { type AppContext, installContext } from "./context";

const LIMITS = {
  running: 4,
  runningOfOne: 2,
  waiting: 12,
  waitingOfOne: 8,
  refuseMs: 0,
  refusing: 0,
  waitMs: 60_000,
  longMs: 60_000,
  giveUpMs: 60_000,
};
const SPROCKET = sampleChannelId("@sprocketowl");

describe("REST under more load than it can serve", () => {
  const service = useService();
  let loud: TestKey;
  let quiet: TestKey;
  let logged: string[];

  beforeEach(async () => {
    [loud, quiet] = [await createKey(service, "pro"), await createKey(service, "pro")];
    logged = [];
    const log = pino({}, { write: (line: string) => logged.push(line) });
    installContext({ ...service, log, gate: createGate(LIMITS) });
  });

  const burst = (key: TestKey, requests: number, path = "/api/alerts") =>
    Promise.all(Array.from({ length: requests }, () => send(path, { key: key.secret })));
  const countOf = (answers: readonly Answer[], wanted: number) =>
    answers.filter(({ status }) => status === wanted).length;
  const usedBy = async ({ secret }: TestKey) =>
    (await send("/api/usage", { key: secret })).body.requests_today;

  it("answers 503 with Retry-After, counts only what it served, and serves all again at once", async () => {
    const answers = await burst(loud, 100);
    const shed = answers.filter(({ status }) => status === 503);
    expect(countOf(answers, 200) + shed.length).toBe(100);
    expect(countOf(answers, 200)).toBeGreaterThanOrEqual(LIMITS.runningOfOne + LIMITS.waitingOfOne);
    expect(shed.length).toBeGreaterThan(0);
    for (const { body, headers } of shed) {
      expect(body).toEqual({ error: "The service is busy; please try again" });
      expect(headers.get("Retry-After")).toBe("1");
      expect(headers.get("X-Request-Id")).toMatch(/^req_/);
    }
    expect(await usedBy(loud)).toBe(countOf(answers, 200) + 1);
    expect(countOf(await burst(loud, LIMITS.waitingOfOne), 200)).toBe(LIMITS.waitingOfOne);
    expect(logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });

  it("changes nothing for a request that was answered without its work", async () => {
    const address = { key: loud.secret, method: "POST" as const, body: { email: "late@example.com" } };
    installContext({ ...service, gate: createGate({ ...LIMITS, longMs: 20, giveUpMs: 20 }) });
    let waiting = Promise.resolve();
    await service.db.transaction(async (tx) => {
      await tx.execute(sql`lock table daily_usage in exclusive mode`);
      expect((await send("/api/alerts/email", address)).status).toBe(503);
      // What waits for the same lock after it is let in after it.
      waiting = service.quota.take(quiet.id, 50).then(() => {});
    });
    await waiting;
    installContext(service);
    expect((await send("/api/alerts/email", { key: loud.secret })).body.email).toBeNull();
    expect(await usedBy(loud)).toBe(3);
  });

  it("serves a known key that asks for little, however much another asks for", async () => {
    // Known to be keys by now: strangers from one address share its turns.
    for (const key of [loud, quiet]) expect(await usedBy(key)).toBe(1);
    const hammering = burst(loud, 100);
    const [answer] = await burst(quiet, 1);
    expect(answer?.status).toBe(200);
    expect(countOf(await hammering, 503)).toBeGreaterThan(0);
    expect(await usedBy(quiet)).toBe(3);
  });

  it("sheds calls without a key by their address", async () => {
    const ask = (from: string) => send("/api/health", { headers: { "X-Client-Address": from } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask("192.0.2.1")));
    expect(countOf(answers, 503)).toBeGreaterThan(0);
    const [other] = await Promise.all([
      ask("192.0.2.2"),
      ...Array.from({ length: 100 }, () => ask("192.0.2.1")),
    ]);
    expect(other.status).toBe(200);
  });

  it("takes all addresses of one IPv6 network for one caller", async () => {
    const ask = (from: string) => send("/api/health", { headers: { "X-Client-Address": from } });
    const flood = Array.from({ length: 100 }, (_, place) => ask(`2001:db8:1:2::${place.toString(16)}`));
    const [other] = await Promise.all([ask("2001:db8:1:3::1"), ...flood]);
    expect(other.status).toBe(200);
    expect(countOf(await Promise.all(flood), 503)).toBeGreaterThan(0);
  });

  it("keeps nobody waiting for a body that does not come", async () => {
    const senders: ReadableStreamDefaultController<Uint8Array>[] = [];
    const slow = Array.from({ length: 100 }, () => {
      const body = new ReadableStream<Uint8Array>({ start: (sender) => void senders.push(sender) });
      const headers = { "X-API-Key": loud.secret, "Content-Type": "application/json" };
      // Node asks for `duplex`, which the types do not know.
      const init = { method: "POST", headers, body, duplex: "half" };
      return answer(new Request("http://growth.test/api/track", init));
    });
    expect(countOf(await burst(loud, 5, "/api/usage"), 200)).toBe(5);
    for (const sender of senders) sender.close();
    const statuses = (await Promise.all(slow)).map(({ status }) => status);
    expect(statuses).toContain(400);
    expect(statuses.filter((status) => status !== 400 && status !== 503)).toEqual([]);
  });

  it("gives no turns of a key to the one that it replaced", async () => {
    await usedBy(loud);
    const { secret } = await rotateKey(service, loud.id);
    const renewed = { ...loud, secret };
    expect([await usedBy(renewed), (await send("/api/usage", { key: loud.secret })).status]).toEqual([
      2, 401,
    ]);
    const flood = burst(loud, 100);
    expect(await usedBy(renewed)).toBe(3);
    expect(countOf(await flood, 503)).toBeGreaterThan(0);
  });

  it("lets a request go on whose platform takes long, and others past it", async () => {
    let answerIt = () => {};
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const platform: AppContext["platform"] = {
      ...service.platform,
      find: (reference) =>
        new Promise((resolve) => {
          answerIt = () => resolve(service.platform.find(reference));
          begin();
        }),
    };
    const gate = createGate({ ...LIMITS, running: 1, longMs: 1 });
    installContext({ ...service, platform, gate });
    const tracking = send("/api/track", {
      key: loud.secret,
      method: "POST",
      body: { channel_id: SPROCKET },
    });
    await begun;
    expect(countOf(await burst(quiet, 5), 200)).toBe(5);
    answerIt();
    expect((await tracking).status).toBe(200);
  });
});
