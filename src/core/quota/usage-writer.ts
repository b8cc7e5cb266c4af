import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { CoreContext } from "@/core/context";
import type { Database } from "@/core/db/client";
import { AppError, INVALID_API_KEY } from "@/core/errors";
import { type Day, SECOND, sleep } from "@/core/time";

const BATCH_MS = 20;
const BATCH_KEYS = 500;
/** What failed is written again after so long, also where nothing more is noted. */
const AGAIN_MS = 5 * SECOND;

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
  /**
   * Notes one more request; the returned promise never rejects and resolves when a write of it, or of what was noted
   * before, has been tried.
   * @param isUrgent whether it is written at once, not with others of the next moment
   */
  add(request: { keyId: string; day: Day; at: Date; used: number }, isUrgent?: boolean): Promise<void>;
  /** Writes what is noted and resolves when no write is under way any more. Never rejects. */
  flush(): Promise<void>;
  /** Requests of a key's day that are not known to be in the database. */
  unwritten(keyId: string, day: Day): number;
  /**
   * Requests of a key's day that the database has, and those that it lacks: each is in one of the two, whatever is written
   * meanwhile or in doubt.
   * @throws AppError `unauthorized` for a key that does not exist
   */
  read(keyId: string, day: Day): Promise<{ written: number; lacking: number }>;
}

interface UsageWriterOptions extends CoreContext {
  /** Told what each write led to. */
  onWritten(usage: WrittenUsage[]): Promise<void>;
}

/**
 * A batch that failed is written again before the next one, by its number: where its connection broke before the
 * answer, the database knows whether it has it.
 */
export function createUsageWriter({ db, clock, log, onWritten }: UsageWriterOptions): UsageWriter {
  const writer = randomUUID();
  let number = 0;
  /** The batch of that number, by key and day, and what the next one will have. */
  let unwritten = new Map<string, Uncounted>();
  let noted = new Map<string, Uncounted>();
  let due: Promise<void> | null = null;
  let writing = Promise.resolve();
  let waiting: Promise<void> | null = null;
  let again: NodeJS.Timeout | null = null;

  function note(added: Uncounted): void {
    const id = idOf(added);
    const known = noted.get(id);
    if (!known) {
      noted.set(id, added);
      return;
    }
    known.requests += added.requests;
    known.used = Math.max(known.used, added.used);
    if (added.lastAt > known.lastAt) known.lastAt = added.lastAt;
  }

  async function write(): Promise<void> {
    if (unwritten.size === 0) return;
    const told = unwritten;
    const rows = await addUsage(db, { writer, number, writtenAt: clock.now() }, [...told.values()]);
    unwritten = new Map();
    await onWritten(rows.map((row) => ({ ...row, used: told.get(idOf(row))?.used ?? 0 })));
  }

  async function writeNoted(): Promise<void> {
    try {
      await write();
      if (noted.size === 0) return;
      unwritten = noted;
      noted = new Map();
      number += 1;
      await write();
    } catch (error) {
      log.error({ err: error }, "usage could not be written");
      if (!again) again = setTimeout(writeAgain, AGAIN_MS).unref();
    }
  }

  function writeAgain(): void {
    again = null;
    void flush();
  }

  function flush(): Promise<void> {
    due = null;
    // One that waits takes along whatever is noted by then.
    waiting ??= writing.then(() => {
      waiting = null;
      return writeNoted();
    });
    writing = waiting;
    return writing;
  }

  return {
    add({ keyId, day, at, used }, isUrgent = false) {
      note({ keyId, day, requests: 1, lastAt: at, used });
      if (isUrgent || noted.size >= BATCH_KEYS) return flush();
      due ??= sleep(BATCH_MS).then(flush);
      return due;
    },
    flush,
    unwritten(keyId, day) {
      const id = idOf({ keyId, day });
      return requestsOf(unwritten.get(id)) + requestsOf(noted.get(id));
    },
    async read(keyId, day) {
      const id = idOf({ keyId, day });
      const [latest, inBatch, inNext] = [number, requestsOf(unwritten.get(id)), requestsOf(noted.get(id))];
      const { requests, batch } = await readUsage(db, { writer, keyId, day });
      return { written: requests, lacking: (batch < latest ? inBatch : 0) + (batch <= latest ? inNext : 0) };
    },
  };
}

function idOf({ keyId, day }: Pick<Uncounted, "keyId" | "day">): string {
  return `${keyId}@${day}`;
}

function requestsOf(uncounted: Uncounted | undefined): number {
  return uncounted?.requests ?? 0;
}

interface Batch {
  writer: string;
  /** Above that of each batch before it. */
  number: number;
  writtenAt: Date;
}

/**
 * Nothing where the writer's batch of that number is there already. Ordered, so that instances that write the same keys
 * never wait for each other in a circle. A key that is being deleted is waited for and left out.
 */
async function addUsage(db: Database, { writer, number, writtenAt }: Batch, usage: Uncounted[]) {
  const rows = usage.map(({ keyId, day, requests, lastAt }) => ({
    key_id: keyId,
    day,
    requests,
    last_at: lastAt.toISOString(),
  }));
  const written = await db.execute<{ key_id: string; day: Day; requests: number }>(sql`
    with fast as materialized (select set_config('synchronous_commit', 'off', true)),
    batch as (
      insert into usage_writers as writer (id, batch, written_at)
      select ${writer}, ${number}::bigint, ${writtenAt.toISOString()}::timestamptz from fast
      on conflict (id) do update set batch = excluded.batch, written_at = excluded.written_at
        where writer.batch < excluded.batch
      returning id
    )
    insert into daily_usage as usage (key_id, day, requests, last_request_at)
    select api_keys.id, added.day, added.requests, added.last_at
    from batch, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
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

/** What the database has of a key's day and the number of the writer's latest batch in it, both of one instant. */
async function readUsage(
  db: Database,
  { writer, keyId, day }: { writer: string; keyId: string; day: Day },
): Promise<{ requests: number; batch: number }> {
  const [read] = await db.execute<{ requests: number; batch: number }>(sql`
    select coalesce(usage.requests, 0) as requests, coalesce(writer.batch, 0)::float8 as batch
    from api_keys
    left join daily_usage as usage on usage.key_id = api_keys.id and usage.day = ${day}::date
    left join usage_writers as writer on writer.id = ${writer}
    where api_keys.id = ${keyId}`);
  if (!read) throw new AppError("unauthorized", INVALID_API_KEY);
  return read;
}
