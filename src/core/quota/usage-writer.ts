import { sql } from "drizzle-orm";
import { type Database, isOutcomeUnknown } from "@/core/db/client";
import type { Log } from "@/core/log";
import { type Day, sleep } from "@/core/time";

const BATCH_MS = 20;
const BATCH_KEYS = 500;

/** A key's granted requests of a day that are not in the database yet. */
interface Uncounted {
  keyId: string;
  day: Day;
  requests: number;
  lastAt: Date;
  /** The highest count that the counter told. */
  used: number;
}

/** What the database holds of a key's day after a write, beside what the counter told. */
export interface WrittenUsage {
  keyId: string;
  day: Day;
  requests: number;
  used: number;
}

/** Adds what another counter granted to the usage in the database, many requests at once and none of them waiting. */
export interface UsageWriter {
  /** Notes one more request; the returned promise never rejects and resolves when a write of it has been tried. */
  add(request: { keyId: string; day: Day; at: Date; used: number }): Promise<void>;
  /** Writes what is noted and resolves when no write is under way any more. Never rejects. */
  flush(): Promise<void>;
}

interface UsageWriterOptions {
  db: Database;
  log: Log;
  /** Told what each write led to. */
  onWritten(usage: WrittenUsage[]): Promise<void>;
}

/**
 * A batch that fails is tried again with the next one. Only where a connection broke before the answer it is let go:
 * rather some requests too few than counted twice.
 */
export function createUsageWriter({ db, log, onWritten }: UsageWriterOptions): UsageWriter {
  let batch = new Map<string, Uncounted>();
  let due: Promise<void> | null = null;
  let writing = Promise.resolve();

  function note(added: Uncounted): void {
    const id = `${added.keyId}@${added.day}`;
    const noted = batch.get(id);
    if (!noted) {
      batch.set(id, added);
      return;
    }
    noted.requests += added.requests;
    noted.used = Math.max(noted.used, added.used);
    if (added.lastAt > noted.lastAt) noted.lastAt = added.lastAt;
  }

  async function write(taken: Uncounted[]): Promise<void> {
    try {
      const rows = await addUsage(db, taken);
      const told = new Map(taken.map(({ keyId, day, used }) => [`${keyId}@${day}`, used]));
      await onWritten(rows.map((row) => ({ ...row, used: told.get(`${row.keyId}@${row.day}`) ?? 0 })));
    } catch (error) {
      log.error({ err: error }, "usage could not be written");
      if (!isOutcomeUnknown(error)) for (const uncounted of taken) note(uncounted);
    }
  }

  function flush(): Promise<void> {
    due = null;
    const taken = [...batch.values()];
    batch = new Map();
    if (taken.length > 0) writing = writing.then(() => write(taken));
    return writing;
  }

  return {
    add({ keyId, day, at, used }) {
      note({ keyId, day, requests: 1, lastAt: at, used });
      if (batch.size >= BATCH_KEYS) return flush();
      due ??= sleep(BATCH_MS).then(flush);
      return due;
    },
    flush,
  };
}

/**
 * Ordered, so that instances that write the same keys never wait for each other in a circle. A key that is being
 * deleted is waited for and left out.
 */
async function addUsage(db: Database, taken: Uncounted[]) {
  const rows = taken.map(({ keyId, day, requests, lastAt }) => ({
    key_id: keyId,
    day,
    requests,
    last_at: lastAt.toISOString(),
  }));
  const written = await db.execute<{ key_id: string; day: Day; requests: number }>(sql`
    with fast as materialized (select set_config('synchronous_commit', 'off', true))
    insert into daily_usage as usage (key_id, day, requests, last_request_at)
    select api_keys.id, added.day, added.requests, added.last_at
    from fast, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as added (key_id text, day date, requests int, last_at timestamptz)
      join api_keys on api_keys.id = added.key_id
    order by api_keys.id, added.day
    for key share of api_keys
    on conflict (key_id, day) do update
      set requests = usage.requests + excluded.requests,
        last_request_at = greatest(usage.last_request_at, excluded.last_request_at)
    returning key_id, day::text, requests`);
  return written.map(({ key_id, day, requests }) => ({ keyId: key_id, day, requests }));
}
