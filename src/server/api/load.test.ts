import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import * as inngest from "@/app/api/inngest/route";
import * as mcp from "@/app/mcp/route";
import { createLimits } from "@/core/http/limits";
import { createLog } from "@/core/log/log";
import { createMetrics } from "@/core/log/metrics";
import { dailyUsage } from "@/db/schema";
import { installContext } from "@/server/context";
import { answer, send } from "@/test/request";
import { createKey, type TestKey, useService } from "@/test/service";

const TOKEN = "a token for the tests of load";
const LIVE = ["/api/live", "/api/health", "/api/metrics"];
const MIB = 1024 * 1024;

describe("API under load", () => {
  const service = useService({ variables: () => ({ METRICS_TOKEN: TOKEN }) });
  let key: TestKey;

  beforeEach(async () => {
    const metrics = createMetrics();
    Object.assign(service, { metrics, limits: createLimits(createLog({ level: "silent" }), metrics) });
    installContext(service);
    key = await createKey(service, "pro");
  });

  /** A POST whose body has begun and never ends. */
  function createUnfinished(path: string, headers: Record<string, string> = {}): Request {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) });
    const init = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body, duplex: "half" };
    return new Request(`http://growth.test${path}`, init as RequestInit);
  }

  /** Takes places of the API until they are given back. */
  function takePlaces(count: number): () => void {
    let giveBack = () => {};
    const released = new Promise<void>((resolve) => {
      giveBack = resolve;
    });
    for (let at = 0; at < count; at++)
      service.limits
        .run(
          "api",
          `192.0.2.${at % 200}`,
          () => true,
          () => released,
        )
        .catch(() => {});
    return giveBack;
  }

  it.each(["", "cg_", "cg_aaaa", "x".repeat(45)])("refuses the key %j before it reads the body", async (presented) => {
    const refused = await answer(createUnfinished("/api/track", { "X-API-Key": presented }));
    expect([refused.status, await refused.json()]).toEqual([401, { error: "Invalid API key" }]);
  });

  it("refuses agents without a key and unsigned job calls before it reads their bodies", async () => {
    const agent = await mcp.POST(createUnfinished("/mcp"));
    expect([agent.status, agent.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await inngest.POST(createUnfinished("/api/inngest"))).status).toBe(401);
    expect(await service.metrics.render([])).toContain('{route="/mcp",method="POST",status="401"} 1');
  });

  it("gives an unfinished body no place", async () => {
    for (let at = 0; at < 520; at++)
      answer(createUnfinished("/api/track", { "X-API-Key": key.secret })).catch(() => {});
    expect((await send("/api/usage", { key: key.secret })).status).toBe(200);
    expect(service.limits.countUnderWay("api")).toBe(0);
  });

  it("answers 503 when too many requests are under way, except for its operators", async () => {
    const giveBack = takePlaces(512);
    const { status, headers, body } = await send("/api/usage", { key: key.secret });
    expect([status, headers.get("retry-after"), body]).toEqual([
      503,
      "1",
      { error: "The service is busy. Try again.", code: "busy" },
    ]);
    const headersOfCollector = { Authorization: `Bearer ${TOKEN}` };
    for (const path of LIVE) expect((await send(path, { headers: headersOfCollector })).status, path).toBe(200);
    const { text } = await send("/api/metrics", { headers: headersOfCollector });
    expect(text).toContain('growth_http_in_flight{kind="api"} 512');
    expect(text).toContain('growth_http_refusals_total{kind="api"} 1');
    expect(text).toContain('growth_http_requests_total{route="/api/usage",method="GET",status="503"} 1');
    giveBack();
    await expect.poll(async () => (await send("/api/usage", { key: key.secret })).status).toBe(200);
  });

  it("keeps the place of a request until its work has ended, also when its client has gone", async () => {
    const client = new AbortController();
    await send("/api/usage", { key: key.secret });
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const locked = service.db.transaction(async (tx) => {
      await tx.execute(sql`select from daily_usage where key_id = ${key.id} for update`);
      const headers = { "X-API-Key": key.secret };
      answer(new Request("http://growth.test/api/usage", { headers, signal: client.signal })).catch(() => {});
      await finished;
    });
    await expect.poll(() => service.limits.countUnderWay("api")).toBe(1);
    client.abort();
    expect((await send("/api/live")).status).toBe(200);
    expect(service.limits.countUnderWay("api")).toBe(1);
    finish();
    await locked;
    await expect.poll(() => service.limits.countUnderWay("api")).toBe(0);
  });

  it("does not begin work for a client that has gone, and counts the request as 499", async () => {
    const giveBack = takePlaces(128);
    const client = new AbortController();
    const headers = { "X-API-Key": key.secret };
    const request = new Request("http://growth.test/api/usage", { headers, signal: client.signal });
    const answered = answer(request);
    await expect.poll(() => service.limits.countUnderWay("api")).toBe(129);
    client.abort();
    giveBack();
    await answered;
    expect(await service.db.select().from(dailyUsage).where(eq(dailyUsage.keyId, key.id))).toEqual([]);
    expect(await service.metrics.render([])).toContain('route="/api/usage",method="GET",status="499"} 1');
  });

  it("closes the connection after a body of more than 8 MiB", async () => {
    const post = (length: number) => send("/api/track", { key: key.secret, method: "POST", body: "x".repeat(length) });
    const cut = await post(8 * MIB + 64 * 1024);
    expect([cut.status, cut.headers.get("connection")]).toEqual([413, "close"]);
    const read = await post(MIB);
    expect([read.status, read.headers.get("connection")]).toEqual([413, null]);
  });
});
