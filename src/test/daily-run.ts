import { beforeEach } from "vitest";
import { addDays, type Day } from "@/core/time";
import { readCause } from "@/features/alerts/cause.service";
import { trackCreator } from "@/features/creators/service";
import type { KeyId } from "@/features/keys/schema";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { recordDaily } from "@/features/snapshots/daily.service";
import type { ChannelStats } from "@/platform/port";
import { createFakeChannel, createFakeMailService, type FakeChannel, type FakeMailService } from "./destinations";
import { createChannelId, createFakePlatform, type FakePlatform } from "./platform";
import { createKey, type TestKey, type TestService, useService } from "./service";

/** The service with fakes of all servers it calls, run day by day. */
export interface DailyRuns {
  service: TestService;
  platform: FakePlatform;
  mailService: FakeMailService;
  channel: FakeChannel;
  /** The day at whose noon the test begins; each test has three days of its own. */
  day: Day;
  /** The day after. */
  next: Day;
  /** Moves the clock to a time of a day: `at(day, "06:00")`. */
  setTime(day: Day, time: string): void;
  /** A key with its own address. */
  createMailedKey(): Promise<{ key: TestKey; email: string }>;
  /** Creates a creator with this count from `day` on and tracks it at the clock's time. */
  track(keyId: KeyId, subscribers: number | null, more?: Partial<ChannelStats>): Promise<string>;
  /** Runs a day and everything it triggers: on schedule at 06:00, or by hand at another time. */
  run(day: Day, time?: string): Promise<void>;
  /** Creates a creator that grows overnight; leaves the clock at 06:00 of `next`; sends nothing. */
  makeAlert(keyId: KeyId, before?: number, after?: number, more?: Partial<ChannelStats>): Promise<string>;
}

/** The daily run for one test file. */
export function useDailyRuns(): DailyRuns {
  const runs = {} as DailyRuns;
  const service = useService({
    platform: (clock) => {
      runs.platform = createFakePlatform(clock);
      return runs.platform;
    },
    mailer: (clock) => {
      runs.mailService = createFakeMailService(clock);
      return runs.mailService;
    },
    monitoring: (clock) => {
      runs.channel = createFakeChannel(clock);
      return runs.channel;
    },
  });
  let creators = 0;
  let addresses = 0;
  const verbs: Partial<DailyRuns> = {
    service,
    day: "2026-04-01",
    setTime: (day, time) => service.clock.set(`${day}T${time}Z`),
    async createMailedKey() {
      const key = await createKey(service);
      const email = `scout-${addresses++}@example.com`;
      await setAlertEmail(service, key.id, email);
      return { key, email };
    },
    async track(keyId, subscribers, more) {
      const id = createChannelId(creators++);
      runs.platform.show(id, runs.day, subscribers, more);
      await trackCreator(service, keyId, { kind: "id", id });
      return id;
    },
    async run(day, time) {
      runs.setTime(day, time ?? "06:00");
      if (time) await service.requestRun();
      else service.engine.fireCron("creator-growth-plan-day", service.clock.now());
      await service.drain();
    },
    async makeAlert(keyId, before = 1000, after = 1125, more = {}) {
      runs.setTime(runs.day, "12:00");
      const id = await runs.track(keyId, before, more);
      runs.platform.show(id, runs.next, after, more);
      runs.setTime(runs.next, "06:00");
      const [alertId] = await recordDaily(
        service,
        runs.next,
        service.clock.now(),
        (await runs.platform.listChannels([id])).channels,
      );
      await readCause(service, { channelId: id, day: runs.next });
      if (!alertId) throw new Error("this growth makes no alert");
      return alertId;
    },
  };
  Object.assign(runs, verbs);
  beforeEach(() => {
    runs.day = addDays(runs.day, 3);
    runs.next = addDays(runs.day, 1);
    runs.setTime(runs.day, "12:00");
    runs.platform.failures = [];
    runs.mailService.failures.length = 0;
    runs.channel.failures.length = 0;
  });
  return runs;
}
