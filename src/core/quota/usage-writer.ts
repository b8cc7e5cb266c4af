import { sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import { statement } from "@/core/db/statement";
import { type Day, isoTime } from "@/core/time";

/** A granted request, and the count that Redis returned for it. */
export interface Usage {
  keyId: string;
  day: Day;
  at: Date;
  used: number;
}

/** A repeated write adds nothing and only lifts the count, because the first one may have been carried out. */
const addUsage = statement<{ requests: number }, Record<string, unknown>>(sql`
  with fast as materialized (select set_config('synchronous_commit', 'off', true)),
  key as materialized (select id from api_keys where id = ${sql.placeholder("keyId")} for key share)
  insert into daily_usage as usage (key_id, day, requests, last_request_at)
  select id, ${sql.placeholder("day")}::date, ${sql.placeholder("atLeast")}::int, ${sql.placeholder("at")}::timestamptz
  from fast, key
  on conflict (key_id, day) do update
    set requests = greatest(usage.requests + ${sql.placeholder("added")}::int, excluded.requests),
      last_request_at = greatest(usage.last_request_at, excluded.last_request_at)
  returning requests`);

/**
 * Adds granted requests to `daily_usage`. What could not be written is written after the next request, or by `flush`.
 * @param onBehind called where PostgreSQL has more than Redis returned
 */
export function createUsageWriter(
  { db, log }: Pick<CoreContext, "db" | "log">,
  onBehind: (keyId: string, day: Day, requests: number) => Promise<void>,
) {
  const underWay = new Set<Promise<void>>();
  const added = new Set<Promise<void>>();
  const failed: Usage[] = [];
  let repeating: Promise<unknown> = Promise.resolve();
  /** The highest count of each key of the latest day, which a repeated write lifts the stored count to. */
  const highest = new Map<string, number>();
  let latestDay = "";

  async function write(usage: Usage, isRepeat: boolean): Promise<void> {
    const { keyId, day, at, used } = usage;
    const counts = isRepeat ? { added: 0, atLeast: highestOf(usage) } : { added: 1, atLeast: 1 };
    try {
      const [row] = await addUsage(db, { keyId, day, at: isoTime(at), ...counts });
      if (row && row.requests > used) await onBehind(keyId, day, row.requests);
    } catch (error) {
      log.error({ err: error }, "usage could not be written");
      failed.push(usage);
    }
  }

  function note({ keyId, day, used }: Usage): void {
    if (day > latestDay) highest.clear();
    if (day > latestDay) latestDay = day;
    if (day === latestDay) highest.set(keyId, Math.max(used, highest.get(keyId) ?? 0));
  }

  function highestOf({ keyId, day, used }: Usage): number {
    return day === latestDay ? Math.max(used, highest.get(keyId) ?? 0) : used;
  }

  function start(usage: Usage, isRepeat = false): Promise<void> {
    const writing = write(usage, isRepeat).finally(() => underWay.delete(writing));
    underWay.add(writing);
    return writing;
  }

  /** A repeat lifts the count to what was granted so far, so no other write may be under way meanwhile. */
  async function repeatFailed(): Promise<void> {
    if (underWay.size > 0 || failed.length === 0) return;
    repeating = Promise.all(failed.splice(0).map((usage) => start(usage, true)));
    await repeating;
  }

  async function addAfterRepeats(usage: Usage): Promise<void> {
    await repeating;
    note(usage);
    await start(usage);
    await repeatFailed();
  }

  return {
    /** Never rejects. */
    add(usage: Usage): Promise<void> {
      const adding = addAfterRepeats(usage).finally(() => added.delete(adding));
      added.add(adding);
      return adding;
    },
    /** Resolves once all writes were tried. Never rejects. */
    async flush(): Promise<void> {
      while (added.size > 0) await Promise.all(added);
      await repeatFailed();
    },
  };
}
