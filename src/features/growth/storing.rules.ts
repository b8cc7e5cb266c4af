import { addDays, type Day } from "@/core/time";
import type { ChannelStats } from "@/platform/port";
import type { Chances } from "./calibration.rules";
import { type Corrections, correctChance } from "./correction.rules";
import { computeGrowthPercent, computeOneDayGrowth, type PastSnapshot } from "./rules";
import { keepLevel, SCORE_VERSION, scoreChannel } from "./score.rules";
import { tellStory } from "./story.rules";

/** Snapshots of the 28 days before a day, by channel. */
export type Histories = ReadonlyMap<string, PastSnapshot[]>;

/** The rows that statistics make, and the snapshots of the day and of the 28 days before. */
export type ScoredChannel = ReturnType<typeof scoreAll>[number];

export function scoreAll(
  given: readonly ChannelStats[],
  day: Day,
  readAt: Date,
  histories: Histories,
  corrections: Corrections = {},
) {
  return given.map(sanitizeStats).map((stats) => {
    const { channelId, subscribers, views } = stats;
    const past = histories.get(channelId) ?? [];
    const current = { day, readAt, subscribers, views, score: null };
    return { ...scoreStats(stats, current, past, corrections), current, past };
  });
}

/** The rows of a channel and its snapshot, which has each chance as it was fitted, before its correction. */
function scoreStats(stats: ChannelStats, current: PastSnapshot, past: PastSnapshot[], corrections: Corrections) {
  const { channelId, subscribers, views, videos, ...names } = stats;
  const known = [...past, current];
  const findBefore = (days: number) => {
    const wanted = addDays(current.day, -days);
    return past.find(({ day }) => day === wanted);
  };
  const computeGrowth = (days: number) => computeGrowthPercent(findBefore(days)?.subscribers ?? null, subscribers);
  const scored = subscribers === null ? null : scoreChannel(known, current.day, stats);
  const { chances = null, ranges = null, parts = {} } = scored ?? {};
  const baseline = findBefore(1);
  const before = [1, 2, 3].map((days) => findBefore(days)?.score ?? null);
  const correct = (name: keyof Chances) => chances && correctChance(chances[name], corrections[name]);
  const measured = {
    subscribers,
    views,
    videos,
    score: scored && keepLevel(scored.value, before),
    scoreVersion: SCORE_VERSION,
    expected7d: ranges?.expected_7d ?? null,
    expected28d: ranges?.expected_28d ?? null,
  };
  const channel = {
    id: channelId,
    ...names,
    ...measured,
    scoreBasis: scored?.basis ?? "profile",
    chance7d: correct("chance_7d"),
    chance28d: correct("chance_28d"),
    reason: scored && (tellStory(known, current.day)?.sentence ?? null),
    growth1dPercent: computeOneDayGrowth(baseline, current),
    growth7dPercent: computeGrowth(7),
    growth28dPercent: computeGrowth(28),
  };
  const [chance7d, chance28d] = [chances?.chance_7d ?? null, chances?.chance_28d ?? null];
  return { channel, snapshot: { channelId, ...measured, chance7d, chance28d, scoreParts: { ...parts } }, baseline };
}

/** Removes what PostgreSQL refuses from texts: U+0000 and half surrogate pairs. */
function sanitizeStats(stats: ChannelStats): ChannelStats {
  const { name, handle, thumbnailUrl, country } = stats;
  return {
    ...stats,
    name: sanitizeText(name) || stats.channelId,
    handle: handle && sanitizeText(handle),
    thumbnailUrl: thumbnailUrl && sanitizeText(thumbnailUrl),
    country: country && sanitizeText(country),
  };
}

function sanitizeText(text: string): string {
  return text.replaceAll("\u0000", "").replace(/\p{Cs}/gu, "\ufffd");
}
