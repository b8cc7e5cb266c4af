import type postgres from "postgres";
import { OperatorError } from "@/core/errors";
import { TEST_MAILS_A_DAY } from "@/core/mail/email";
import { type Clock, utcDay } from "@/core/time";
import { type BackupSize, countLines, notABackup, readBackup, type Table } from "./file";
import { listTables, namesOf, withConnection } from "./tables";

/**
 * Fills an empty database with what a backup holds: all of it or, whatever goes wrong, nothing.
 * @throws OperatorError for a file that is not a whole backup of this schema, and for a database that holds something
 */
export async function restoreBackup(url: string, file: string, clock: Clock): Promise<BackupSize> {
  const size = await checkBackup(file);
  await withConnection(url, (client) =>
    // Once locked, what others have stored meanwhile is seen.
    client.begin("isolation level read committed", async (tx) => {
      // One that is halted in the middle keeps others out no longer.
      await tx`set local idle_in_transaction_session_timeout = '60s'`;
      const tables = await listTables(tx);
      // Before a lock keeps a service out that should not have been there.
      await requireEmpty(tx, tables);
      for (const { table } of tables) await tx`lock table ${tx(table)} in access exclusive mode`;
      await requireEmpty(tx, tables);
      await copyIn(tx, file, tables);
      await restartSequences(tx);
      await endWhatMayBeOver(tx, clock.now());
    }),
  );
  return size;
}

/**
 * What may have ended, or been sent, after the backup was made: nobody is signed in, no mail or post that waited is sent,
 * whoever was to confirm counts as asked just now, and the day's test mails as spent.
 */
async function endWhatMayBeOver(tx: postgres.TransactionSql, now: Date): Promise<void> {
  await tx`delete from console_sessions`;
  await tx`
    update deliveries
    set status = 'failed', finished_at = coalesce(tried_at, created_at), problem = 'restored from a backup: it may have been sent since'
    where status in ('pending', 'sending')`;
  await tx`update suppressions set asked_at = ${now}, is_ask_in_doubt = false`;
  await tx`
    insert into test_mails (key_id, day, sent) select id, ${utcDay(now)}, ${TEST_MAILS_A_DAY} from api_keys
    on conflict (key_id) do update set day = excluded.day, sent = excluded.sent`;
}

/** Reads a file to its end and changes nothing. @throws OperatorError unless it is a whole backup of this schema */
async function checkBackup(file: string): Promise<BackupSize> {
  const found: BackupSize = { tables: 0, rows: 0 };
  let isWhole = false;
  await readBackup(file, {
    table: async () => {
      found.tables += 1;
    },
    rows: async (chunk) => {
      found.rows += countLines(chunk);
    },
    foot: ({ tables, rows }) => {
      isWhole = tables === found.tables && rows === found.rows;
    },
  });
  if (!isWhole) throw notABackup(file, "it is not whole");
  return found;
}

async function requireEmpty(tx: postgres.TransactionSql, tables: readonly Table[]): Promise<void> {
  for (const { table } of tables) {
    const [row] = await tx`select 1 from ${tx(table)} limit 1`;
    if (row)
      throw new OperatorError(
        `The database holds data already (in ${table}); restore into an empty one, such as that of a new DATA_DIR`,
      );
  }
}

async function copyIn(tx: postgres.TransactionSql, file: string, known: readonly Table[]): Promise<void> {
  const awaited = new Map(known.map((table) => [JSON.stringify(table), table.table]));
  let copy: CopyIn | undefined;
  await readBackup(file, {
    // Its names go into statements: only those that the database has.
    async table(table) {
      if (!awaited.delete(JSON.stringify(table)))
        throw notABackup(file, `it holds a table "${table.table}" of another form, or twice`);
      copy = await openCopy(tx, table);
    },
    rows: async (line) => copy?.write(line),
    endOfRows: async () => copy?.finish(),
  });
  const [missing] = awaited.values();
  if (missing) throw notABackup(file, `it does not hold the table "${missing}"`);
}

/** Rows go to the database in parts of about this size. */
const COPY_BYTES = 64 * 1024;

interface CopyIn {
  write(line: Buffer): Promise<void>;
  finish(): Promise<void>;
}

async function openCopy(tx: postgres.TransactionSql, table: Table): Promise<CopyIn> {
  const target = await tx.unsafe(`copy ${namesOf(table)} from stdin`).writable();
  // What the server refuses fails the transaction, of which the statement in `finish` is told.
  target.on("error", () => {});
  let waiting: Buffer[] = [];
  let bytes = 0;
  const flush = async () => {
    const chunk = Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
    if (chunk.length > 0) await new Promise<void>((resolve) => target.write(chunk, () => resolve()));
  };
  return {
    async write(line) {
      waiting.push(line);
      bytes += line.length;
      if (bytes >= COPY_BYTES) await flush();
    },
    async finish() {
      await flush();
      // The driver never calls back for a copy that is refused at its end, so the next statement is waited for.
      target.end();
      await tx`select 1`.catch(() => {
        throw new OperatorError(`The database refuses the rows of ${table.table}; nothing was restored`);
      });
    },
  };
}

/** Numbers that the database gives go on after the highest one there is. */
async function restartSequences(tx: postgres.TransactionSql): Promise<void> {
  const columns = await tx<{ table: string; column: string }[]>`
    select attrelid::regclass::text as table, attname as column from pg_attribute
    where attidentity <> '' and attrelid in
      (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')`;
  for (const { table, column } of columns)
    await tx`
      select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${tx(column)}), 0) + 1, false)
      from ${tx(table)}`;
}
