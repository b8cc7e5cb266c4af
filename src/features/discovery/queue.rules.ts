import { addDays, countDaysBetween, type Day, HOUR, MINUTE, startOfDay, toDate, toUtcDay } from "@/core/time";

/** Minute of each hour at which the hourly job starts. */
export const RUN_MINUTE = 20;
/** Milliseconds within which a run has searched its part of the queue. */
const RUN_TIME = 10 * MINUTE;
/** A niche that would wait longer is not queued. */
export const QUEUE_DAYS = 30;
/** The queue takes searches while fewer than this many of the day's first searches are spent, and leaves the rest. */
export const QUEUE_SHARE = 30;

/** A niche that a key waits for. */
export interface Waiting {
  keyId: string;
  niche: string;
  queuedAt: Date;
  turn: number;
  /** New niches of the key: a day, and left today. */
  perDay: number;
  leftToday: number;
}

/**
 * Computes the round of a key's next niche. A key joins the current round and has at most a day of searches
 * in each round, so a long list of one key delays no other key.
 */
export function computeNextTurn(waiting: readonly Waiting[], keyId: string, perDay: number): number {
  const served = Math.min(...waiting.map(({ turn }) => turn));
  const own = waiting.flatMap((row) => (row.keyId === keyId ? [row.turn] : []));
  const last = Math.max(Number.isFinite(served) ? served : 0, ...own);
  return own.filter((turn) => turn === last).length < perDay ? last : last + 1;
}

/**
 * Plans the searches of the queue for the next 30 days: by turn, then the oldest first, each day within the allowance
 * of every key and the queue's share. A niche that several keys wait for is searched once.
 * @param from the first day with searches, counted from today
 * @param leftToday searches of the queue left today
 * @returns the rows, each with its day, counted from today
 */
export function planQueue<Row extends Waiting>(waiting: readonly Row[], from: number, leftToday: number) {
  const order = waiting.toSorted(
    (one, other) =>
      one.turn - other.turn || one.queuedAt.getTime() - other.queuedAt.getTime() || (one.niche < other.niche ? -1 : 1),
  );
  const planned = new Map<string, { row: Row; day: number }>();
  for (let day = from; day <= QUEUE_DAYS; day++) {
    const spent = new Map<string, number>();
    let left = day === 0 ? leftToday : QUEUE_SHARE;
    for (const row of order) {
      const own = spent.get(row.keyId) ?? 0;
      if (left <= 0) break;
      if (planned.has(row.niche) || own >= (day === 0 ? row.leftToday : row.perDay)) continue;
      planned.set(row.niche, { row, day });
      spent.set(row.keyId, own + 1);
      left--;
    }
  }
  return [...planned.values()];
}

/** The first day with searches, counted from today, when the platform has none before `earliest`. */
export function computeFirstDay(earliest: Date | null, today: Day): number {
  return earliest ? Math.max(0, countDaysBetween(today, toUtcDay(earliest))) : 0;
}

/** When the creators of a niche planned for a day are there: after the hourly run that searches it. */
export function computeExpectedTime(day: number, now: Date, earliest: Date | null): Date {
  const start = day === 0 ? now : startOfDay(addDays(toUtcDay(now), day));
  return toDate(computeNextRun(Math.max(start.getTime(), earliest?.getTime() ?? 0)) + RUN_TIME);
}

function computeNextRun(from: number): number {
  const offset = RUN_MINUTE * MINUTE;
  return Math.ceil((from - offset) / HOUR) * HOUR + offset;
}
