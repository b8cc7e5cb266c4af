import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import postgres from "postgres";
import { z } from "zod";
import { TEST_MAILS_A_DAY } from "@/core/email";
import { errorMessage, OperatorError } from "@/core/errors";
import { type Clock, utcDay } from "@/core/time";
import journal from "../../../drizzle/meta/_journal.json" with { type: "json" };
import { readAddress } from "./address";

/** What a backup holds. */
export interface BackupSize {
  tables: number;
  rows: number;
}

/*
 * A backup is gzipped lines: a head, then for each table a line that names it, its rows as COPY writes them and the mark
 * of COPY's end, then a foot that says how much there must have been.
 */
const FORMAT = "creator-growth-backup-1";
const Head = z.object({ format: z.literal(FORMAT), schema: z.string(), made_at: z.iso.datetime() });
type Head = z.output<typeof Head>;
const TableLine = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const Foot = z.object({ end: z.literal(true), tables: z.int(), rows: z.int() });
const END_OF_ROWS = "\\.";
/** Rows go to the database in parts of about this size. */
const COPY_BYTES = 64 * 1024;

type Table = z.output<typeof TableLine>;

/**
 * Writes all rows of the database, as they stand at one instant, to a file that only its owner may read. The service may
 * go on working meanwhile.
 * @throws OperatorError when there is such a file already, or it cannot be written
 */
export async function writeBackup(url: string, file: string, clock: Clock): Promise<BackupSize> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  const size = { tables: 0, rows: 0 };
  const head: Head = { format: FORMAT, schema: currentSchema(), made_at: clock.now().toISOString() };
  try {
    await withConnection(url, (client) =>
      client.begin("isolation level repeatable read read only", async (tx) => {
        const lines = Readable.from(backupLines(tx, head, size));
        await pipeline(
          lines,
          createGzip(),
          createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }),
        );
      }),
    );
    // Fails where the name is taken: an older backup is never written over.
    await link(draft, file);
    return size;
  } catch (error) {
    throw isFileError(error) ? new OperatorError(`${file} cannot be written: ${errorMessage(error)}`) : error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Fills an empty database with what a backup holds: all of it or, whatever goes wrong, nothing.
 * @throws OperatorError for a file that is not a whole backup of this schema, and for a database that holds something
 */
export async function restoreBackup(url: string, file: string, clock: Clock): Promise<BackupSize> {
  const size = await checkBackup(file);
  await withConnection(url, (client) =>
    client.begin(async (tx) => {
      const tables = await listTables(tx);
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

async function* backupLines(
  tx: postgres.TransactionSql,
  head: Head,
  size: BackupSize,
): AsyncGenerator<string | Buffer> {
  yield asLine(head);
  for (const table of await listTables(tx)) {
    yield asLine(table);
    const rows: AsyncIterable<Buffer> = await tx.unsafe(`copy ${namesOf(table)} to stdout`).readable();
    for await (const chunk of rows) {
      size.rows += countLines(chunk);
      yield chunk;
    }
    size.tables += 1;
    yield `${END_OF_ROWS}\n`;
  }
  yield asLine({ end: true, ...size });
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

interface BackupVisitor {
  table(table: Table): Promise<void>;
  rows(chunk: Buffer): Promise<void>;
  endOfRows?(): Promise<void>;
  foot?(foot: z.output<typeof Foot>): void;
}

/** Goes through a backup from head to foot. @throws OperatorError where it does not have its form */
async function readBackup(file: string, visitor: BackupVisitor): Promise<void> {
  let state: "head" | "table" | "rows" | "end" = "head";
  for await (const line of readLines(file)) {
    if (state === "rows") {
      if (line.toString() !== `${END_OF_ROWS}\n`) await visitor.rows(line);
      else {
        await visitor.endOfRows?.();
        state = "table";
      }
      continue;
    }
    const value = parseLine(line);
    const table = TableLine.safeParse(value).data;
    const foot = Foot.safeParse(value).data;
    if (state === "head") {
      requireHead(file, value);
      state = "table";
    } else if (state === "table" && table) {
      await visitor.table(table);
      state = "rows";
    } else if (state === "table" && foot) {
      visitor.foot?.(foot);
      state = "end";
    } else throw notABackup(file, "it does not have the form of one");
  }
  if (state !== "end") throw notABackup(file, "it is not whole");
}

function requireHead(file: string, value: unknown): void {
  const head = Head.safeParse(value).data;
  if (!head) throw notABackup(file, "it does not begin as one");
  if (head.schema !== currentSchema())
    throw new OperatorError(
      `${file} was made on the schema ${head.schema}, this version has ${currentSchema()}: restore it with the version that made it, then start this one`,
    );
}

/** The lines of a gzipped file, each with its end. Only a line feed ends one, as COPY has it. */
async function* readLines(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  const input = createReadStream(file);
  const unzipped = createGunzip();
  input.once("error", (error) => unzipped.destroy(error));
  try {
    for await (const chunk of input.pipe(unzipped)) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        const last = chunk.subarray(from, end + 1);
        yield rest.length > 0 ? Buffer.concat([...rest, last]) : last;
        rest = [];
        from = end + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw notABackup(file, errorMessage(error));
  } finally {
    input.destroy();
  }
  if (rest.length > 0) throw notABackup(file, "it is not whole");
}

function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return null;
  }
}

/** All tables with their columns, each after those it refers to. */
async function listTables(sql: postgres.TransactionSql): Promise<Table[]> {
  const tables = await sql<(Table & { needs: string[] })[]>`
    select relname as table,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      array(select confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> pg_class.oid) as needs
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`;
  const sorted: Table[] = [];
  const left = [...tables];
  while (left.length > 0) {
    const at = left.findIndex(({ needs }) =>
      needs.every((name) => sorted.some(({ table }) => table === name)),
    );
    const [next] = left.splice(Math.max(at, 0), 1);
    if (at < 0 || !next) throw new Error("tables refer to one another in a circle");
    sorted.push({ table: next.table, columns: next.columns });
  }
  return sorted;
}

async function requireEmpty(tx: postgres.TransactionSql, tables: readonly Table[]): Promise<void> {
  for (const { table } of tables) {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    const [row] = await tx`select 1 from ${tx(table)} limit 1`;
    if (row)
      throw new OperatorError(
        `The database holds data already (in ${table}); restore into an empty one, such as that of a new DATA_DIR`,
      );
  }
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

function namesOf({ table, columns }: Table): string {
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  return `${quoted(table)} (${columns.map(quoted).join(", ")})`;
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

function currentSchema(): string {
  return journal.entries.at(-1)?.tag ?? "";
}

function asLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

async function withConnection<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const { url: address, ssl, prepare } = readAddress(url);
  const client = postgres(address, { max: 1, ssl, prepare, connect_timeout: 10, onnotice: () => {} });
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

function notABackup(file: string, why: string): OperatorError {
  return new OperatorError(`${file} is not a backup of this service: ${why}`);
}

/** Of the file system or of what unzips; those of the database have a class of their own. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof postgres.PostgresError || !("code" in error))
    return false;
  return /^(E[A-Z]+|Z_[A-Z_]+)$/.test(String(error.code)) && !/^ECONN|^ETIME|^EPIPE/.test(String(error.code));
}
