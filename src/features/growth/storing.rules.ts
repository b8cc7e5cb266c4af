import { addDays, type Day } from "@/core/time";
import type { ChannelStats } from "@/platform/port";
import type { Chances } from "./calibration.rules";
import { type Corrections, correctChance } from "./correction.rules";
import { computeGrowthPercent, computeOneDayGrowth, type GrowthSnapshot, type PastSnapshot } from "./rules";
import { keepLevel, SCORE_VERSION, scoreChannel } from "./score.rules";
import { tellStory } from "./story.rules";

/** Snapshots of the 28 days before a day, by channel. */
export type Histories = ReadonlyMap<string, PastSnapshot[]>;

/** The stored form of statistics, and the snapshots that it was computed from. */
export interface ScoredChannel {
  stats: ChannelStats & ReturnType<typeof scoreStats> & Record<"growth_1d" | "growth_7d" | "growth_28d", number | null>;
  current: PastSnapshot;
  /** The snapshot of the day before. */
  baseline: GrowthSnapshot | undefined;
  /** The snapshots of the 28 days before. */
  past: PastSnapshot[];
}

export function scoreAll(
  given: readonly ChannelStats[],
  day: Day,
  readAt: Date,
  histories: Histories,
  corrections: Corrections = {},
): ScoredChannel[] {
  return given.map(sanitizeStats).map((stats) => {
    const { channelId, subscribers, views } = stats;
    const past = histories.get(channelId) ?? [];
    const findBefore = (days: number) => past.find((snapshot) => snapshot.day === addDays(day, -days));
    const computeGrowth = (days: number) => computeGrowthPercent(findBefore(days)?.subscribers ?? null, subscribers);
    const current = { day, readAt, subscribers, views, score: null };
    const baseline = findBefore(1);
    const growth = {
      growth_1d: computeOneDayGrowth(baseline, current),
      growth_7d: computeGrowth(7),
      growth_28d: computeGrowth(28),
    };
    const score = scoreStats([...past, current], day, stats, corrections);
    return { stats: { ...stats, ...score, ...growth }, current, baseline, past };
  });
}

/** A channel's score as it is stored: each chance as it was fitted, and as it is shown after its correction. */
function scoreStats(known: readonly PastSnapshot[], day: Day, stats: ChannelStats, corrections: Corrections) {
  const score = stats.subscribers === null ? null : scoreChannel(known, day, stats);
  const { chances = null, ranges = null, parts = null } = score ?? {};
  const before = [1, 2, 3].map((ago) => known.find((one) => one.day === addDays(day, -ago))?.score ?? null);
  const correct = (name: keyof Chances) => chances && correctChance(chances[name], corrections[name]);
  return {
    value: score && keepLevel(score.value, before),
    basis: score?.basis ?? "profile",
    version: SCORE_VERSION,
    parts: parts ?? {},
    chance_7d: chances?.chance_7d ?? null,
    chance_28d: chances?.chance_28d ?? null,
    shown_7d: correct("chance_7d"),
    shown_28d: correct("chance_28d"),
    expected_7d: ranges?.expected_7d ?? null,
    expected_28d: ranges?.expected_28d ?? null,
    reason: score && (tellStory(known, day)?.sentence ?? null),
  };
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
