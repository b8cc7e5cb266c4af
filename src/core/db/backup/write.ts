import { createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type postgres from "postgres";
import { isDatabaseUnavailable } from "@/core/db/client";
import { errorMessage, OperatorError } from "@/core/errors";
import { type BackupSize, HEADER, listTables, withConnection } from "./format";

const ROWS_PER_FETCH = 500;

/** Writes all rows as of one instant to a new file that only its owner may read. The service may run. */
export async function writeBackup(url: string, file: string): Promise<BackupSize> {
  const draft = `${file}.part`;
  const size = { tables: 0, rows: 0 };
  try {
    await withConnection(url, (client) =>
      client.begin("isolation level repeatable read read only", async (tx) => {
        const target = createWriteStream(draft, { mode: 0o600, flush: true });
        await pipeline(Readable.from(backupLines(tx, size)), createGzip(), target);
      }),
    );
    // Fails when the file exists.
    await link(draft, file);
    return size;
  } catch (error) {
    const isFileError = error instanceof Error && "syscall" in error && !isDatabaseUnavailable(error);
    throw isFileError ? new OperatorError(`${file} cannot be written: ${errorMessage(error)}`) : error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function* backupLines(tx: postgres.TransactionSql, size: BackupSize): AsyncGenerator<string> {
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
