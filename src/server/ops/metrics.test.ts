import { beforeEach, describe, expect, it } from "vitest";
import { GET } from "@/app/api/metrics/route";
import { dailyUsage } from "@/db/schema";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { installContext } from "@/server/context";
import { send } from "@/test/request";
import { createKey, useService } from "@/test/service";

const TOKEN = "a token for the tests of metrics";

describe("metrics", () => {
  const service = useService({ variables: () => ({ METRICS_TOKEN: TOKEN }) });
  const read = async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const answer = await GET(new Request("http://growth.test/api/metrics", { headers }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    return answer.text();
  };

  beforeEach(() => installContext(service));

  it("return 404 without METRICS_TOKEN", async () => {
    const key = await createKey(service);
    for (const Authorization of ["", "Bearer ", "Bearer wrong", TOKEN, `bearer ${TOKEN}`, `Bearer ${TOKEN} `.repeat(2)])
      expect(await send("/api/metrics", { headers: { Authorization } })).toMatchObject({
        status: 401,
        body: { error: "Invalid API key" },
      });
    const known = await send("/api/metrics", { key: key.secret });
    const unknown = await send("/api/nothing", { key: key.secret });
    expect([known.status, known.body]).toEqual([404, unknown.body]);
    expect(known.headers.get("X-RateLimit-Remaining")).toBe(String(TIER_RULES.free.requestsPerDay - 1));
    installContext({ ...service, env: { ...service.env, metricsToken: null } });
    expect((await send("/api/metrics", { headers: { Authorization: "Bearer null" } })).status).toBe(401);
  });

  it("count requests by route and status, for any path that a client sends", async () => {
    const { secret, id } = await createKey(service);
    await send("/api/usage", { key: secret });
    await send("/api/track/UCaaaaaaaaaaaaaaaaaaaaaa/history", { key: secret });
    await send("/api/made-up-by-a-client", { key: secret });
    await service.db.update(dailyUsage).set({ requests: TIER_RULES.free.requestsPerDay });
    await send("/api/usage", { key: secret });
    const text = await read();
    expect(text).toContain('growth_http_requests_total{route="/api/usage",method="GET",status="200"} 1');
    expect(text).toContain('growth_http_requests_total{route="/api/usage",method="GET",status="429"} 1');
    expect(text).toContain('{route="/api/track/{channel_id}/history",method="GET",status="404"} 1');
    expect(text).toMatch(/\{route="unknown",method="GET",status="404"\} \d/);
    expect(text).toContain('growth_http_request_seconds_count{route="/api/usage"} 2');
    expect(text).toContain('growth_quota_refusals_total{tier="free"} 1');
    expect(text).not.toMatch(new RegExp(`made-up|${secret}|${id}|UCaaaa`));
  });

  it("include the daily run, deliveries and the process", async () => {
    expect(await read()).toMatch(/^growth_run_overdue 1$/m);
    await service.requestRun();
    await service.drain();
    const text = await read();
    for (const line of ["growth_database_up 1", "growth_run_finished 1", 'growth_run_channels{result="failed"} 0'])
      expect(text.split("\n")).toContain(line);
    expect(text).toMatch(/^growth_run_age_seconds \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    // There was nothing to read, so there is no coverage.
    expect(text).not.toContain("growth_run_coverage_ratio ");
  });

  it("are served while the database is unavailable", async () => {
    const failing = new Proxy(service.db, {
      get() {
        throw Object.assign(new Error("connect ECONNREFUSED"), {
          code: "ECONNREFUSED",
          syscall: "connect",
        });
      },
    });
    installContext({ ...service, db: failing });
    const text = await read();
    expect(text).toContain("growth_database_up 0");
    expect(text).toContain("growth_http_requests_total");
    expect(text).not.toContain("growth_run_overdue");
    expect((await send("/api/health")).status).toBe(503);
    expect(await send("/api/live")).toMatchObject({ status: 200, body: { status: "ok" } });
  });
});
