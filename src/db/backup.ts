import { createReadStream, createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { pipeline as pipe, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { max } from "drizzle-orm";
import type postgres from "postgres";
import { z } from "zod";
import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";
import { MAX_TEST_EMAILS_PER_DAY } from "@/core/mail/email";
import { type Clock, toUtcDay } from "@/core/time";
import journal from "../../drizzle/meta/_journal.json" with { type: "json" };
import { withConnection } from "./address";
import { isDatabaseUnavailable } from "./client";
import type { CoreContext } from "./context";
import { backups } from "./schema";

/** A backup is a gzip file with one JSON value per line: this header, then `["table", {row}]` for each row. */
const HEADER = { format: "creator-growth-backup-2", schema: journal.entries.at(-1)?.tag ?? "" };

const ROWS_PER_FETCH = 500;
const BATCH_BYTES = 256 * 1024;
type BackupSize = Record<"tables" | "rows", number>;
const Header = z.object({ format: z.string().startsWith("creator-growth-backup-"), schema: z.string() });

/** Writes all rows as of one instant to a new file that only its owner may read. The service may run. */
export async function writeBackup(url: string, file: string): Promise<BackupSize> {
  const draft = `${file}.part`;
  const size = { tables: 0, rows: 0 };
  try {
    await withConnection(url, (client) =>
      client.begin("isolation level repeatable read read only", async (tx) => {
        const target = createWriteStream(draft, { mode: 0o600, flush: true });
        await pipeline(Readable.from(generateBackupLines(tx, size)), createGzip(), target);
      }),
    );
    // Fails when the file exists.
    await link(draft, file);
    return size;
  } catch (error) {
    const isFileError = error instanceof Error && "syscall" in error && !isDatabaseUnavailable(error);
    throw isFileError ? new OperatorError(`${file} cannot be written: ${getErrorMessage(error)}`) : error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Records that a backup was made, for the metrics. */
export async function recordBackup({ db, clock }: CoreContext): Promise<void> {
  await db.insert(backups).values({ madeAt: clock.now() }).onConflictDoNothing();
}

/** When the latest backup was made; null before the first. */
export async function getLastBackup({ db }: CoreContext): Promise<Date | null> {
  const [last] = await db.select({ at: max(backups.madeAt) }).from(backups);
  return last?.at ?? null;
}

async function* generateBackupLines(tx: postgres.TransactionSql, size: BackupSize): AsyncGenerator<string> {
  yield `${JSON.stringify(HEADER)}\n`;
  for (const table of await listTables(tx)) {
    const batches = tx<{ line: string }[]>`
      select json_build_array(${table}::text, t)::text as line from ${tx(table)} t`.cursor(ROWS_PER_FETCH);
    for await (const rows of batches) {
      yield rows.map(({ line }) => `${line}\n`).join("");
      size.rows += rows.length;
    }
    size.tables += 1;
  }
}

/** Fills an empty database from a backup of this version: with all of it or, on any error, with nothing. */
export async function restoreBackup(url: string, file: string, clock: Clock): Promise<BackupSize> {
  return withConnection(url, (client) =>
    client.begin("isolation level read committed", async (tx) => {
      // Hosts limit statements to a minute or two, and a large table takes longer.
      await tx`set local statement_timeout = 0`;
      const tables = await listTables(tx);
      for (const table of tables) await tx`lock table ${tx(table)} in access exclusive mode`;
      for (const table of tables) await requireEmpty(tx, table);
      await tx`create temporary table restored (source text, content json) on commit drop`;
      for await (const lines of readLines(file))
        await tx`
          insert into restored select line ->> 0, line -> 1
          from json_array_elements(${`[${lines.join(",")}]`}::text::json) line`;
      let rows = 0;
      for (const table of tables) rows += await fill(tx, table);
      await restartSequences(tx);
      await cancelWaiting(tx, clock.now());
      return { tables: tables.length, rows };
    }),
  );
}

async function requireEmpty(tx: postgres.TransactionSql, table: string): Promise<void> {
  const [row] = await tx`select from ${tx(table)} limit 1`;
  if (row)
    throw new OperatorError(
      `The database is not empty (${table} has rows); restore into an empty one, such as that of a new DATA_DIR`,
    );
}

async function* readLines(file: string): AsyncGenerator<string[]> {
  const input = pipe(createReadStream(file), createGunzip({ chunkSize: BATCH_BYTES }), () => {});
  let hasHeader = false;
  let rest = "";
  try {
    for await (const chunk of input.setEncoding("utf8")) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      if (!hasHeader) requireHeader(file, lines.shift());
      hasHeader = true;
      yield lines;
    }
  } catch (error) {
    throw isOperatorError(error) ? error : createNotABackupError(file, getErrorMessage(error));
  }
  if (!hasHeader) throw createNotABackupError(file, "it is empty");
}

function requireHeader(file: string, line = ""): void {
  const header = Header.safeParse(JSON.parse(line)).data;
  if (!header) throw createNotABackupError(file, "it has no header");
  if (header.format !== HEADER.format || header.schema !== HEADER.schema)
    throw new OperatorError(
      `${file} was made by another version of this service (schema ${header.schema}, here ${HEADER.schema}); restore it with the version that made it`,
    );
}

function createNotABackupError(file: string, reason: string): OperatorError {
  return new OperatorError(`${file} is not a complete backup of this service: ${reason}`);
}

async function fill(tx: postgres.TransactionSql, table: string): Promise<number> {
  const { count } = await tx`
    insert into ${tx(table)} overriding system value
    select filled.* from restored, json_populate_record(null::${tx(table)}, restored.content) filled
    where restored.source = ${table}`;
  return count;
}

async function restartSequences(tx: postgres.TransactionSql): Promise<void> {
  const columns = await tx<{ table: string; column: string }[]>`
    select relname as table, attname as column from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = 'public'::regnamespace and relkind = 'r'`;
  for (const { table, column } of columns)
    await tx`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${tx(column)}), 0) + 1, false)
      from ${tx(table)}`;
}

/** Cancels what may have been sent or used after the backup, and ends all sessions and one-time links. */
async function cancelWaiting(tx: postgres.TransactionSql, now: Date): Promise<void> {
  await tx`delete from console_sessions`;
  await tx`
    update key_requests set token_hash = null, issued_label = null, issued_tier = null, link_expires_at = null
    where used_at is null`;
  await tx`
    update deliveries
    set status = 'failed', finished_at = coalesce(tried_at, created_at), problem = 'restored from a backup: may have been sent since'
    where status in ('pending', 'sending')`;
  await tx`update suppressions set confirmation_sent_at = ${now}, is_confirmation_unknown = false`;
  await tx`
    insert into daily_allowances (scope, kind, day, used, key_id)
    select id, 'test_email', ${toUtcDay(now)}, ${MAX_TEST_EMAILS_PER_DAY}, id from api_keys
    on conflict (scope, kind, day) do update set used = excluded.used`;
}

/** The names of all tables, each after those it refers to. References must not form a circle. */
async function listTables(tx: postgres.TransactionSql): Promise<string[]> {
  const tables = await tx<{ name: string }[]>`
    with recursive ranked (id, rank) as (
      select oid, 0 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      union
      select conrelid, rank + 1 from ranked
      join pg_constraint on contype = 'f' and confrelid = id and conrelid <> id)
    select relname as name from ranked join pg_class on oid = id group by relname order by max(rank), relname`;
  return tables.map(({ name }) => name);
}
