import { mean } from "d3-array";
import { asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { addDays, countDaysBetween, DAY, type Day, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { chanceCorrections, channels, scoreGrades } from "@/db/schema";
import type { Range } from "@/features/growth/calibration.rules";
import { SIZE_BANDS } from "@/features/growth/rules";
import { ALERT_LEVELS, classifyLevel, SCORE_VERSION } from "@/features/growth/score.rules";
import {
  createEqualWeights,
  createRandom,
  createRankCorrelation,
  rankValues,
} from "@/features/growth/statistics.rules";
import { HISTORY_DAYS } from "@/features/growth/strength.rules";
import { binChances, hasReachedGrowth, sumDays, sumSquaredErrors, tallyGroups, tallyRanges } from "./chances.rules";
import { DayFigures, GRADED } from "./comparison.schema";
import { refreshCorrections } from "./correction.service";
import { countFastest } from "./groups.rules";
import { computeLogGrowth, MIN_SUBSCRIBERS, mapNames } from "./rules";

const HORIZON_DAYS = 7;
/** Days within which a missed day is still graded. */
const BELATED_DAYS = 7;
const MIN_CHANNELS = 100;
/** A percentile needs at least this many channels in the size band. */
const MIN_PEERS = 20;
const PEER_DAYS = 7;

/**
 * Updates the percentiles of channels, grades earlier scores and fits the corrections of chances, after a finished run.
 * @param allowed whether the operator may compare channels; if not, stored comparisons are deleted
 */
export async function compareChannels(ctx: CoreContext, day: Day, allowed: boolean): Promise<void> {
  if (!allowed) return deleteComparisons(ctx);
  await Promise.all([refreshPercentiles(ctx), gradeScores(ctx, day)]);
  await refreshCorrections(ctx, day, (await getScoreAccuracy(ctx))?.calibration);
}

/** Deletes everything that compares channels. */
export async function deleteComparisons({ db }: CoreContext): Promise<void> {
  await db.delete(scoreGrades);
  await db.delete(chanceCorrections);
  await db.update(channels).set({ percentile: null }).where(isNotNull(channels.percentile));
}

/** The graded days of the current score version, oldest first. */
export async function listGrades({ db }: CoreContext) {
  const rows = await db
    .select()
    .from(scoreGrades)
    .where(eq(scoreGrades.scoreVersion, SCORE_VERSION))
    .orderBy(asc(scoreGrades.day));
  // Days in the form of an earlier release are left out.
  return rows.flatMap((row) => {
    const { data } = DayFigures.safeParse(row.figures);
    return data ? [{ ...row, figures: data }] : [];
  });
}

/** How well the service's scores predicted the following week. */
export type Accuracy = NonNullable<Awaited<ReturnType<typeof getScoreAccuracy>>>;

/** The record of the current score version over all stored days; null without any. */
export async function getScoreAccuracy(ctx: CoreContext) {
  const graded = await listGrades(ctx);
  const [first, last] = [graded[0], graded.at(-1)];
  if (!first || !last) return null;
  return {
    ...sumDays(graded.map(({ figures }) => figures)),
    /** First day with graded scores. */
    first_day: first.day,
    last_day: last.day,
    score_version: SCORE_VERSION,
    days: graded.length,
    /** Average number of channels graded per day. */
    channels: Math.round(mean(graded, ({ channels }) => channels) ?? 0),
  };
}

/**
 * Gives each channel with a measured score its percentile: the percent of the others in its size band with a lower score,
 * equal scores counting half. All other channels get null.
 */
async function refreshPercentiles({ db, clock }: CoreContext): Promise<void> {
  const since = toDate(clock.now().getTime() - PEER_DAYS * DAY).toISOString();
  const bounds = sql.raw(`array[${SIZE_BANDS.slice(1).join()}]::int8[]`);
  await db.execute(sql`
    with peers as (
      select id, width_bucket(subscribers, ${bounds}) as band, score
      from channels
      where score_basis = 'history' and status = 'active' and subscribers is not null
        and last_snapshot_at > ${since}::timestamptz
    ), ranked as (
      select id, count(*) over (partition by band) as peers,
        rank() over (partition by band order by score) - 1 as below,
        count(*) over (partition by band, score) - 1 as level
      from peers
    ), changed as (
      -- One order for all writers prevents deadlocks.
      select channels.id, round(1000 * (below + level / 2.0) / (peers - 1)) / 10 as percentile
      from channels left join ranked on ranked.id = channels.id and peers >= ${MIN_PEERS}
      where channels.percentile is distinct from round(1000 * (below + level / 2.0) / (peers - 1)) / 10
      order by channels.id for no key update of channels
    )
    update channels set percentile = changed.percentile from changed where channels.id = changed.id`);
}

/**
 * Grades the scores of seven days before `day`, and of missed days shortly before, by the growth since. Days with fewer
 * than 100 channels are skipped. Grading twice changes nothing.
 */
async function gradeScores(ctx: CoreContext, day: Day): Promise<void> {
  const oldest = addDays(day, -HORIZON_DAYS - BELATED_DAYS);
  const graded = await ctx.db.select({ day: scoreGrades.day }).from(scoreGrades);
  for (let scored = oldest; countDaysBetween(scored, day) >= HORIZON_DAYS; scored = addDays(scored, 1)) {
    if (graded.some((grade) => grade.day === scored)) continue;
    const outcomes = await listOutcomes(ctx, scored);
    if (outcomes.length < MIN_CHANNELS) continue;
    await ctx.db
      .insert(scoreGrades)
      .values({
        day: scored,
        gradedAt: ctx.clock.now(),
        scoreVersion: SCORE_VERSION,
        channels: outcomes.length,
        figures: computeFigures(scored, outcomes, await listLateOutcomes(ctx, scored)),
      })
      .onConflictDoNothing();
  }
}

interface Outcome extends Record<string, unknown> {
  score: number;
  size: number;
  chance_7d: number | null;
  expected_7d: Range | null;
  parts: unknown;
  week_ago: number;
  fortnight_ago: number;
  first: number;
  views_gained: number | null;
  history_days: number;
  week_later: number;
}

/**
 * Channels scored by their history on a day, with the counts before and after it. Where the count of a week or a fortnight
 * ago is unknown, the first known one after it stands in, so that simple growth is graded by the growth so far.
 */
async function listOutcomes({ db }: CoreContext, day: Day): Promise<Outcome[]> {
  return db.execute<Outcome>(sql`
    select given.score, given.subscribers::float8 as size, given.chance_7d, given.expected_7d, given.score_parts as parts,
      week.subscribers::float8 as week_ago,
      fortnight.subscribers::float8 as fortnight_ago, month.subscribers::float8 as first,
      (given.views - seen.views)::float8 as views_gained, given.day - month.day as history_days,
      later.subscribers::float8 as week_later
    from snapshots as given
    join snapshots as later on later.channel_id = given.channel_id and later.day = given.day + ${HORIZON_DAYS}::int
    cross join lateral ${selectFirstKnownSql("subscribers", 7)} as week
    cross join lateral ${selectFirstKnownSql("subscribers", 14)} as fortnight
    cross join lateral ${selectFirstKnownSql("subscribers", HISTORY_DAYS)} as month
    left join lateral ${selectFirstKnownSql("views", 7)} as seen on true
    where given.day = ${day}::date and given.score_version = ${SCORE_VERSION} and given.score_parts <> '{}'
      and given.subscribers >= ${MIN_SUBSCRIBERS} and later.subscribers is not null
    order by given.channel_id`);
}

interface LateOutcome extends Record<string, unknown> {
  chance: number | null;
  range: Range | null;
  before: number;
  after: number;
}

/** The chances of 28 days that end on the day after which a day's scores are graded, with the counts. */
async function listLateOutcomes({ db }: CoreContext, day: Day): Promise<LateOutcome[]> {
  const [given, later] = [addDays(day, HORIZON_DAYS - 28), addDays(day, HORIZON_DAYS)];
  return db.execute<LateOutcome>(sql`
    select given.chance_28d as chance, given.expected_28d as range, given.subscribers::float8 as before, later.subscribers::float8 as after
    from snapshots as given
    join snapshots as later on later.channel_id = given.channel_id and later.day = ${later}::date
    where given.day = ${given}::date and given.score_version = ${SCORE_VERSION} and given.score_parts <> '{}'
      and given.subscribers >= ${MIN_SUBSCRIBERS} and later.subscribers is not null`);
}

function selectFirstKnownSql(count: "subscribers" | "views", daysBefore: number): SQL {
  const column = sql.identifier(count);
  return sql`(
    select day, ${column} from snapshots
    where channel_id = given.channel_id and day between given.day - ${daysBefore}::int and given.day
      and ${column} is not null
    order by day limit 1
  )`;
}

function computeFigures(day: Day, outcomes: readonly Outcome[], late: readonly LateOutcome[]): DayFigures {
  const random = createRandom(countDaysBetween("2000-01-01", day));
  const target = outcomes.map(({ size, week_later }) => computeLogGrowth(size, week_later) ?? 0);
  const computeGrowth = (before: number, { size }: Outcome) => computeLogGrowth(before, size) ?? 0;
  const values = {
    score: outcomes.map(({ score }) => score),
    size: outcomes.map(({ size }) => size),
    g7: outcomes.map((one) => computeGrowth(one.week_ago, one)),
    g14: outcomes.map((one) => computeGrowth(one.fortnight_ago, one)),
    g28: outcomes.map((one) => computeGrowth(one.first, one)),
    views: outcomes.map(({ views_gained }) => views_gained ?? 0),
  };
  const best = rankValues(target, random);
  const correlate = createRankCorrelation(best, createEqualWeights(outcomes.length));
  const ranked = mapNames(GRADED, (name) => rankValues(values[name], random));
  const hasGrown = (index: number) => hasReachedGrowth(target[index] ?? 0, HORIZON_DAYS);
  const weeks = outcomes.flatMap(({ chance_7d: chance, ...one }, index) =>
    chance === null ? [] : [{ ...one, chance, came: hasGrown(index) }],
  );
  const lateGrown = late.map(({ before, after, ...one }) => ({ ...one, growth: computeLogGrowth(before, after) ?? 0 }));
  const months = lateGrown.flatMap(({ chance, growth }) =>
    chance === null ? [] : [{ chance, came: hasReachedGrowth(growth, 28) }],
  );
  return {
    rankings: mapNames(GRADED, (name) => ({ rho: correlate(ranked[name]) })),
    levels: mapNames(ALERT_LEVELS, (level) => {
      const inLevel = [...target.keys()].filter((index) => classifyLevel(values.score[index] ?? 0) === level);
      return { channels: inLevel.length, came: inLevel.filter(hasGrown).length };
    }),
    lists: mapNames(GRADED, (name) => {
      const picked = ranked[name].order.slice(0, countFastest(outcomes.length));
      return { picked: picked.length, came: picked.filter(hasGrown).length };
    }),
    chance_7d: binChances(weeks),
    chance_28d: binChances(months),
    brier: { chance_7d: sumSquaredErrors(weeks), chance_28d: sumSquaredErrors(months) },
    groups: tallyGroups(weeks),
    ranges: {
      7: tallyRanges(outcomes.map(({ expected_7d: range }, index) => ({ range, growth: target[index] ?? 0 }))),
      28: tallyRanges(lateGrown),
    },
  };
}
