import { randomUUID } from "node:crypto";
import { toChunks } from "@/core/parallel";
import { addDays, DAY, type Day, HOUR, type ManualClock, startOfDay, systemClock, toDate, toUtcDay } from "@/core/time";
import { getInbox, markAlert, markAllRead } from "@/features/alerts/inbox.service";
import { InboxFilter } from "@/features/alerts/query.schema";
import { getMapSpelling, MAP_NICHES } from "@/features/discovery/niches.rules";
import { computeGrowthPercent } from "@/features/growth/rules";
import type { Key } from "@/features/keys/schema";
import { addToList, createList, listCreatorLists, saveNote, saveView } from "@/features/lists/service";
import { getRunTime } from "@/features/snapshots/rules";
import { createPostgresQuota } from "@/features/usage/quota.service";
import { createRequestLog } from "@/features/usage/request-log.service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { CHANNELS_PER_CALL, type ChannelStats, type VideoPlatform } from "@/platform/port";
import type { ServiceContext } from "@/server/context";

/** What the platform showed of all creators at the time of a daily run. */
export interface PastDay {
  day: Day;
  at: Date;
  stats: ChannelStats[];
}

/** The creators of the demo's key. */
export interface DemoCreators {
  /** Steady growth in each of the last three weeks, the fastest first. */
  risers: string[];
  /** The first creators of one niche, of all kinds. */
  niche: string[];
}

const DEMO_NICHE = "gaming";
const NICHE_CREATORS = 12;
const RISERS = 10;
/** Growth in percent of a steady riser: its slowest of three weeks, its largest day, and 28 days at most. */
const STEADY = { week: 1.5, day: 6, month: 48, minSubscribers: 1000 };

/** Reads all creators of the map of niches on each day that is given. */
export async function readPast(platform: VideoPlatform, clock: ManualClock, days: readonly Day[]): Promise<PastDay[]> {
  const found = await Promise.all(MAP_NICHES.map((niche) => platform.search(getMapSpelling(niche) ?? niche)));
  const ids = [...new Set(found.flat())];
  const past: PastDay[] = [];
  for (const day of days) {
    clock.set(getRunTime(day));
    const answers = await Promise.all(toChunks(ids, CHANNELS_PER_CALL).map((chunk) => platform.listChannels(chunk)));
    past.push({ day, at: clock.now(), stats: answers.flatMap(({ channels }) => channels) });
  }
  return past;
}

/** Chooses creators by their last 28 days, so that the demo shows the same kinds of growth on any date. */
export async function chooseCreators(platform: VideoPlatform, past: readonly PastDay[]): Promise<DemoCreators> {
  const counts = new Map<string, number[]>();
  for (const { stats } of past)
    for (const { channelId, subscribers } of stats)
      if (subscribers) counts.set(channelId, [...(counts.get(channelId) ?? []), subscribers]);
  const all = [...counts].map(([id, series]) => ({ id, ...describeGrowth(series) }));
  const isRiser = (one: (typeof all)[number]) =>
    one.subscribers >= STEADY.minSubscribers &&
    one.slowestWeek >= STEADY.week &&
    one.largestDay <= STEADY.day &&
    one.month <= STEADY.month;
  const niche = (await platform.search(DEMO_NICHE)).filter((id) =>
    past.at(-1)?.stats.some((one) => one.channelId === id),
  );
  return {
    risers: all
      .filter(isRiser)
      .sort((one, other) => other.fortnight - one.fortnight)
      .slice(0, RISERS)
      .map(({ id }) => id),
    niche: niche.slice(0, NICHE_CREATORS),
  };
}

function describeGrowth(series: readonly number[]) {
  const days = series.slice(1).map((count, index) => computeGrowthPercent(series[index] ?? null, count) ?? 0);
  const at = (ago: number) => series.at(-1 - ago) ?? null;
  const weeks = [0, 7, 14].map((ago) => computeGrowthPercent(at(ago + 7), at(ago)) ?? 0);
  return {
    subscribers: at(0) ?? 0,
    fortnight: computeGrowthPercent(at(14), at(0)) ?? 0,
    slowestWeek: Math.min(...weeks),
    largestDay: Math.max(...days),
    month: computeGrowthPercent(at(28), at(0)) ?? 0,
  };
}

const NOTES = [
  "Writes back within a day. Wants a fixed fee, no affiliate links.",
  "Same editor as Clay Puppet Lab. Ask again when the new series is out.",
  "Grew through one format for two months. Check whether it still works before the call.",
];

/** Gives the key what a scout has after a month: lists, notes, a view, alerts that were read, and requests. */
export async function fillDemo(
  ctx: ServiceContext,
  clock: ManualClock,
  key: Key,
  creators: DemoCreators,
): Promise<void> {
  clock.set(systemClock.now());
  if ((await listCreatorLists(ctx, key.id)).lists.length > 0) return;
  const shortlist = await createList(ctx, key.id, "Shortlist");
  await addToList(ctx, key.id, shortlist.id, creators.risers.slice(0, 4));
  const niche = await createList(ctx, key.id, "Gaming");
  await addToList(ctx, key.id, niche.id, creators.niche);
  for (const [index, note] of NOTES.entries()) await saveNote(ctx, key.id, creators.risers[index] ?? "", note);
  await saveView(ctx, key.id, "High growth, fastest week", "level=HIGH_GROWTH&sort=growth_7d&order=desc");
  await leaveUnread(ctx, key);
  await makeRequests(ctx, clock, key);
}

/** Marks all alerts as read but those of the last run and the newest that faded. */
async function leaveUnread(ctx: ServiceContext, { id }: Key): Promise<void> {
  const { alerts } = await getInbox(ctx, id, { offset: 0, limit: 100 }, {});
  await markAllRead(ctx, id, InboxFilter.parse({}));
  const unread = [
    ...alerts.filter(({ day }) => day === alerts[0]?.day),
    ...alerts.filter(({ outcome_7d }) => outcome_7d === "faded").slice(0, 1),
  ];
  for (const alert of unread) await markAlert(ctx, id, alert.id, false);
}

const REQUESTS = [
  ["GET", "/api/track", "limit=50"],
  ["GET", "/api/alerts", "limit=20"],
  ["GET", "/api/discover", "niche=gaming&limit=20"],
  ["GET", "/api/changes", "limit=100"],
  ["GET", "/api/usage", ""],
] as const;
const USAGE_DAYS = 30;

/** Counts and logs the requests of the last 30 days: fewer on weekends, more from week to week. */
async function makeRequests(ctx: ServiceContext, clock: ManualClock, { id, tier }: Key): Promise<void> {
  const quota = createPostgresQuota(ctx);
  const log = createRequestLog(ctx);
  const now = systemClock.now();
  for (let ago = USAGE_DAYS - 1; ago >= 0; ago--) {
    const start = startOfDay(addDays(toUtcDay(now), -ago));
    const isWeekend = [0, 6].includes(start.getUTCDay());
    const requests = (isWeekend ? 6 : 14) + ((start.getUTCDate() * 7) % 9) + Math.floor((USAGE_DAYS - ago) / 3);
    for (let number = 0; number < requests; number++) {
      const at = toDate(start.getTime() + 6 * HOUR + (number / requests) * (DAY - 7 * HOUR));
      if (at > now) break;
      clock.set(at);
      await quota.take(id, TIER_RULES[tier].requestsPerDay);
      const [method, path, query] = REQUESTS[(number + ago) % REQUESTS.length] ?? REQUESTS[0];
      const milliseconds = 3 + ((number * 7 + ago) % 11);
      log.record({
        keyId: id,
        at,
        requestId: randomUUID(),
        method,
        endpoint: path,
        path,
        query,
        status: 200,
        milliseconds,
      });
    }
    await log.flush();
  }
}
