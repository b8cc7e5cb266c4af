import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { apiKeys, deliveries } from "@/db/schema";
import { countKeys, revokeKey } from "@/features/keys/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { countDeliveries } from "@/features/notifications/report.service";
import { computeCoverage } from "@/features/snapshots/rules";
import { listRecentRuns } from "@/features/snapshots/service";
import { countRequests } from "@/features/usage/request-log.service";
import { listRequestsPerDay } from "@/features/usage/service";
import { installContext } from "@/server/context";
import { useDailyRuns } from "@/test/daily-run";
import { send } from "@/test/request";
import { createKey } from "@/test/service";

describe("operator commands", () => {
  const runs = useDailyRuns();

  beforeEach(async () => {
    await runs.service.db.delete(apiKeys);
    installContext(runs.service);
  });

  it("count the keys of each tier, revoked ones separately", async () => {
    const { service } = runs;
    await createKey(service, "pro");
    await createKey(service);
    await revokeKey(service, (await createKey(service)).id);
    const tiers = await countKeys(service);
    expect(tiers).toHaveLength(2);
    expect(tiers).toContainEqual({ tier: "free", active: 1, revoked: 1 });
    expect(tiers).toContainEqual({ tier: "pro", active: 1, revoked: 0 });
  });

  it("count the requests of all keys, or of one, per day and outcome", async () => {
    const { service, day, next } = runs;
    const [one, other] = [await createKey(service), await createKey(service)];
    await send("/api/usage", { key: one.secret });
    await send("/api/alerts?limit=0", { key: other.secret });
    runs.setTime(next, "12:00");
    await send("/api/usage", { key: one.secret });
    await service.requests.flush();
    expect(await listRequestsPerDay(service, 7)).toEqual([
      { day: next, requests: 1, keys: 1 },
      { day, requests: 2, keys: 2 },
    ]);
    expect(await listRequestsPerDay(service, 7, other.id)).toEqual([{ day, requests: 1, keys: 1 }]);
    expect(await listRequestsPerDay(service, 1, other.id)).toEqual([]);
    expect((await countRequests(service, one.id)).endpoints).toEqual([
      { method: "GET", endpoint: "/api/usage", status: 200, requests: 2 },
    ]);
    expect((await countRequests(service, other.id)).endpoints).toEqual([
      { method: "GET", endpoint: "/api/alerts", status: 400, requests: 1 },
    ]);
  });

  it("list the latest runs with their coverage, and where their alerts were sent", async () => {
    const { service, platform, next } = runs;
    const key = await createKey(service);
    await setAlertEmail(service, key.id, "scout@example.com");
    const rising = await runs.track(key.id, 1000);
    const gone = await runs.track(key.id, 1000);
    platform.show(rising, next, 1200);
    platform.hide(gone, next);
    await runs.run(next);
    const [run, ...others] = await listRecentRuns(service, 1);
    expect(run).toMatchObject({ day: next, planned: 2, read: 1, unavailable: 1, failed: 0, alerts: 1 });
    expect([others, run && computeCoverage(run)]).toEqual([[], 1]);
    expect(await countDeliveries(service, 1)).toEqual([
      { destination: "email", status: "sent", count: 1 },
      { destination: "monitoring", status: "sent", count: 1 },
    ]);
    await service.db.update(deliveries).set({ receipt: "bounced" }).where(eq(deliveries.destination, "email"));
    expect(await countDeliveries(service, 1)).toContainEqual({ destination: "email", status: "bounced", count: 1 });
    runs.setTime(next, "23:59");
    service.clock.advance(60_000);
    expect(await countDeliveries(service, 1)).toEqual([]);
  });
});
