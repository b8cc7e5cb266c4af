import { addDays, type Clock, DAY, getSecondsToMidnight, ManualClock, systemClock, toUtcDay } from "@/core/time";
import { trackUnread } from "@/features/creators/service";
import { recordSnapshots } from "@/features/growth/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { createSamplePlatform, SAMPLE_NICHES } from "@/platform/sample";
import type { ServiceContext } from "@/server/context";
import { type Command, startCli } from "./programs";
import { createKey, type TestService } from "./service";

interface Size {
  creators: number;
  /** How many of them have doubled since yesterday. */
  growing: number;
}

const USUAL: Size = { creators: 30, growing: 6 };

export type SampleDay = Awaited<ReturnType<typeof prepareSampleDay>>;

/** Whether the UTC day may end during a test. Commands use the system's clock. */
export function isDayNearlyOver(): boolean {
  return getSecondsToMidnight(systemClock.now()) < 180;
}

/**
 * Prepares a day on the sample platform, by the system's clock, which commands use: a key with an address tracks creators,
 * some of which doubled since yesterday.
 */
export async function prepareSampleDay(
  service: Omit<ServiceContext, "clock">,
  clock: Clock = systemClock,
  { creators, growing }: Size = USUAL,
) {
  const today = toUtcDay(clock.now());
  const yesterday = new ManualClock(clock.now());
  yesterday.advance(-DAY);
  const platform = createSamplePlatform(clock);
  const found = (await Promise.all(SAMPLE_NICHES.map((niche) => platform.search(niche)))).flat();
  const { channels: shown } = await platform.listChannels([...new Set(found)].slice(0, 50));
  const stats = shown
    .filter(({ subscribers }) => subscribers !== null && subscribers > 100)
    .slice(0, creators)
    .map((entry, at) => ({
      ...entry,
      subscribers: Math.floor((entry.subscribers ?? 0) / (at < growing ? 2 : 1)),
    }));
  const channelIds = stats.map(({ channelId }) => channelId);
  const ctx = { ...service, clock: yesterday };
  const key = await createKey(ctx, "pro");
  await setAlertEmail(ctx, key.id, "scout@example.com");
  await trackUnread(ctx, key.id, channelIds);
  await recordSnapshots(ctx, addDays(today, -1), "daily", stats);
  return { today, key, channelIds, growing: channelIds.slice(0, growing) };
}

/**
 * Starts `npm run snapshot` on the service's database and data folder.
 * @param variables additional environment variables
 */
export function startSnapshotCommand(service: TestService, variables: Record<string, string> = {}): Command {
  return startCli("snapshot", ["--json"], {
    DATABASE_URL: service.databaseUrl,
    SESSION_SECRET: "a secret for the tests of commands only",
    DATA_DIR: service.env.dataDir,
    LOG_LEVEL: "info",
    ...variables,
  });
}

/** The messages of alerts that a command's log shows as posted to the monitoring channel. */
export function listPostedMessages(log: string): string[] {
  return log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .flatMap((line) => JSON.parse(line).monitoring?.message ?? []);
}
