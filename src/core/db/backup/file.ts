import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import postgres from "postgres";
import { z } from "zod";
import { errorMessage, OperatorError } from "@/core/errors";
import journal from "../../../../drizzle/meta/_journal.json" with { type: "json" };

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
export const END_OF_ROWS = "\\.";

/** A table and its columns, in the order in which its rows have them. */
export type Table = z.output<typeof TableLine>;

/** What is called for each part of a backup, in its order. Rows come one at a time, each with its end. */
interface BackupVisitor {
  table(table: Table): Promise<void>;
  rows(chunk: Buffer): Promise<void>;
  endOfRows?(): Promise<void>;
  foot?(foot: z.output<typeof Foot>): void;
}

/** Goes through a backup from head to foot. @throws OperatorError where it does not have its form */
export async function readBackup(file: string, visitor: BackupVisitor): Promise<void> {
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

/** How many lines end in it. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  return lines;
}

/** The first line of a backup of the present schema. */
export function headLine(madeAt: Date): string {
  const head: Head = { format: FORMAT, schema: currentSchema(), made_at: madeAt.toISOString() };
  return asLine(head);
}

/** What heads, names a table or ends a backup, as its line. */
export function asLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function currentSchema(): string {
  return journal.entries.at(-1)?.tag ?? "";
}

/** The error that says what is wrong with a file. */
export function notABackup(file: string, why: string): OperatorError {
  return new OperatorError(`${file} is not a backup of this service: ${why}`);
}

/** Of the file system or of what unzips; those of the database have a class of their own. */
export function isFileError(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof postgres.PostgresError || !("code" in error))
    return false;
  return /^(E[A-Z]+|Z_[A-Z_]+)$/.test(String(error.code)) && !/^ECONN|^ETIME|^EPIPE/.test(String(error.code));
}
