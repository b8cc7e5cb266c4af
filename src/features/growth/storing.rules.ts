import { addDays, type Day } from "@/core/time";
import type { ChannelStats } from "@/platform/port";
import type { Chances, Range, Ranges } from "./calibration.rules";
import { type Corrections, correctChance } from "./correction.rules";
import { computeGrowthPercent, computeOneDayGrowth, type GrowthSnapshot, type PastSnapshot } from "./rules";
import type { ScoreParts } from "./schema";
import { keepLevel, SCORE_VERSION, type Score, scoreChannel } from "./score.rules";
import { tellStory } from "./story.rules";

/** Snapshots of the 28 days before a day, by channel. */
export type Histories = ReadonlyMap<string, PastSnapshot[]>;

interface StoredScore
  extends Pick<Score, "basis" | "version">,
    Record<keyof Chances, number | null>,
    Record<keyof Ranges, Range | null> {
  value: number | null;
  /** Empty without measured growth. */
  parts: Partial<ScoreParts>;
  reason: string | null;
  /** The chances after correction. */
  shown_7d: number | null;
  shown_28d: number | null;
}

/** A channel's statistics with their growth and score, as they are stored. */
interface StoredStats extends ChannelStats, StoredScore {
  growth_1d: number | null;
  growth_7d: number | null;
  growth_28d: number | null;
}

/** The stored form of statistics, and the snapshots that it was computed from. */
export interface ScoredChannel {
  stats: StoredStats;
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

const UNMEASURED = {
  ...{ chance_7d: null, chance_28d: null, shown_7d: null, shown_28d: null },
  ...{ expected_7d: null, expected_28d: null, reason: null },
};

function scoreStats(
  known: readonly PastSnapshot[],
  day: Day,
  stats: ChannelStats,
  corrections: Corrections,
): StoredScore {
  const none = { value: null, basis: "profile", version: SCORE_VERSION, parts: {}, ...UNMEASURED } as const;
  if (stats.subscribers === null) return none;
  const { value, basis, version, parts, chances, ranges } = scoreChannel(known, day, stats);
  const reason = tellStory(known, day)?.sentence ?? null;
  const before = [1, 2, 3].map((ago) => known.find((one) => one.day === addDays(day, -ago))?.score ?? null);
  return {
    ...none,
    value: keepLevel(value, before),
    basis,
    version,
    parts: parts ?? {},
    ...chances,
    shown_7d: chances && correctChance(chances.chance_7d, corrections.chance_7d),
    shown_28d: chances && correctChance(chances.chance_28d, corrections.chance_28d),
    ...ranges,
    reason,
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
