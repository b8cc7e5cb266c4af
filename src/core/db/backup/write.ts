import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type postgres from "postgres";
import { errorMessage, OperatorError } from "@/core/errors";
import type { Clock } from "@/core/time";
import { asLine, type BackupSize, countLines, END_OF_ROWS, headLine, isFileError } from "./file";
import { listTables, namesOf, withConnection } from "./tables";

/**
 * Writes all rows of the database, as they stand at one instant, to a file that only its owner may read. The service may
 * go on working meanwhile.
 * @throws OperatorError when there is such a file already, or it cannot be written
 */
export async function writeBackup(url: string, file: string, clock: Clock): Promise<BackupSize> {
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  const size = { tables: 0, rows: 0 };
  const madeAt = clock.now();
  try {
    const copyOut = async (tx: postgres.TransactionSql) => {
      const lines = Readable.from(backupLines(tx, madeAt, size));
      const target = createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true });
      await pipeline(lines, createGzip(), target);
    };
    await withConnection(url, (client) => client.begin("isolation level repeatable read read only", copyOut));
    // Fails where the name is taken: an older backup is never written over.
    await link(draft, file);
    return size;
  } catch (error) {
    throw isFileError(error) ? new OperatorError(`${file} cannot be written: ${errorMessage(error)}`) : error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function* backupLines(
  tx: postgres.TransactionSql,
  madeAt: Date,
  size: BackupSize,
): AsyncGenerator<string | Buffer> {
  yield headLine(madeAt);
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
