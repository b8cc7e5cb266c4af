import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addDays, type Day } from "@/core/time";
import { PlatformError } from "@/platform/port";
import { createChannelId, createFakePlatform, type FakePlatform } from "@/test/platform";
import { createKey, useService } from "@/test/service";
import { type StandIn, startStandIn } from "@/test/stand-in";
import { trackUnread } from "../creators/service";

describe("heartbeat", () => {
  let server: StandIn;
  let platform: FakePlatform;
  let day: Day = "2026-05-01";
  beforeAll(async () => {
    server = await startStandIn({ answer: () => new Response("OK") });
  });
  afterAll(() => server.stop());
  const service = useService({
    variables: () => ({ HEARTBEAT_URL: `${server.url}/ping/secret-1` }),
    platform: (clock) => {
      platform = createFakePlatform(clock);
      return platform;
    },
  });

  beforeEach(async () => {
    server.reset();
    day = addDays(day, 3);
    service.clock.set(`${addDays(day, -1)}T12:00:00Z`);
    const id = createChannelId(Number(day.replaceAll("-", "")));
    platform.show(id, day, 1000);
    await trackUnread(service, (await createKey(service)).id, [id]);
  });

  async function fire(job: "plan-day" | "resume-day" | "watch-run", time: string): Promise<void> {
    service.clock.set(`${day}T${time}:00Z`);
    service.engine.fireCron(`creator-growth-${job}`, service.clock.now());
    await service.drain();
  }

  it("is requested once when the day's run is complete", async () => {
    await fire("plan-day", "06:00");
    expect(server.calls).toMatchObject([{ method: "GET", url: "/ping/secret-1" }]);
    await fire("watch-run", "06:30");
    await fire("resume-day", "07:00");
    expect(server.calls).toHaveLength(1);
  });

  it("is not requested while the run has read too little, and is once a retry completes it", async () => {
    platform.failures = Array.from({ length: 4 }, () => new PlatformError("unavailable", "down"));
    await fire("plan-day", "06:00");
    await fire("watch-run", "06:30");
    expect(server.calls).toEqual([]);
    platform.failures = [];
    await fire("resume-day", "07:00");
    expect(server.calls).toHaveLength(1);
  });

  it("is requested again by the run monitor after a refusal", async () => {
    server.faults.push({ status: 503, body: "" });
    await fire("plan-day", "06:00");
    await fire("watch-run", "06:30");
    await fire("watch-run", "07:00");
    expect(server.calls).toHaveLength(2);
  });
});
