import { beforeEach } from "vitest";
import { addDays, type Day } from "@/core/time";
import { readCause } from "@/features/alerts/cause.service";
import { trackCreator } from "@/features/creators/service";
import type { KeyId } from "@/features/keys/schema";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { recordDaily } from "@/features/snapshots/daily.service";
import type { ChannelStats } from "@/platform/port";
import { createFakeChannel, createFakeMailService } from "./destinations";
import { createChannelId, createFakePlatform } from "./platform";
import { createKey, type TestKey, type TestService, useService } from "./service";

/** The service with fakes of all servers it calls, run day by day, for one test file. */
export function useDailyRuns() {
  const clock = { now: () => service.clock.now() };
  const platform = createFakePlatform(clock);
  const mailService = createFakeMailService(clock);
  const channel = createFakeChannel(clock);
  const service: TestService = useService({
    platform: () => platform,
    mailer: () => mailService,
    monitoring: () => channel,
  });
  let creators = 0;
  let addresses = 0;
  const runs = {
    service,
    platform,
    mailService,
    channel,
    /** The day at whose noon the test begins; each test has three days of its own. */
    day: "2026-04-01" as Day,
    /** The day after. */
    next: "2026-04-02" as Day,
    /** Moves the clock to a time of a day: `at(day, "06:00")`. */
    setTime: (day: Day, time: string): void => service.clock.set(`${day}T${time}Z`),
    /** A key with its own address. */
    async createMailedKey(email = `scout-${addresses++}@example.com`): Promise<{ key: TestKey; email: string }> {
      const key = await createKey(service);
      await setAlertEmail(service, key.id, email);
      return { key, email };
    },
    /** Creates a creator with this count from `day` on and tracks it at the clock's time. */
    async track(keyId: KeyId, subscribers: number | null, more?: Partial<ChannelStats>): Promise<string> {
      const id = createChannelId(creators++);
      platform.show(id, runs.day, subscribers, more);
      await trackCreator(service, keyId, { kind: "id", id });
      return id;
    },
    /** Runs a day and everything it triggers: on schedule at 06:00, or by hand at another time. */
    async run(day: Day, time?: string): Promise<void> {
      runs.setTime(day, time ?? "06:00");
      if (time) await service.requestRun();
      else service.engine.fireCron("creator-growth-plan-day", service.clock.now());
      await service.drain();
    },
    /** Creates a creator that grows overnight; leaves the clock at 06:00 of `next`; sends nothing. */
    async makeAlert(keyId: KeyId, before = 1000, after = 1125, more: Partial<ChannelStats> = {}): Promise<string> {
      runs.setTime(runs.day, "12:00");
      const id = await runs.track(keyId, before, more);
      platform.show(id, runs.next, after, more);
      runs.setTime(runs.next, "06:00");
      const { channels } = await platform.listChannels([id]);
      const [alertId] = await recordDaily(service, runs.next, service.clock.now(), channels);
      await readCause(service, { channelId: id, day: runs.next });
      if (!alertId) throw new Error("this growth makes no alert");
      return alertId;
    },
  };
  beforeEach(() => {
    runs.day = addDays(runs.day, 3);
    runs.next = addDays(runs.day, 1);
    runs.setTime(runs.day, "12:00");
    platform.failures = [];
    mailService.failures.length = 0;
    channel.failures.length = 0;
  });
  return runs;
}
