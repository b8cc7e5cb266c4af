import { existsSync } from "node:fs";
import { OperatorError } from "@/core/errors";
import { recordBackup, writeBackup } from "@/db/backup";
import { createProgram, type Output, print, runProgram, withContext } from "./command";

const SECRET = "It does not hold the session secret: keep SESSION_SECRET, or DATA_DIR/session-secret, beside it.";

async function backup(file: string, output: Output): Promise<void> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already. Give the name of a new file`);
  const { tables, rows } = await withContext(async (ctx) => {
    const size = await writeBackup(ctx.url, file);
    await recordBackup(ctx);
    return size;
  });
  const held = `${file} holds ${tables} tables with ${rows} rows.`;
  print(output, { file, tables, rows, has_session_secret: false }, `${held}\n${SECRET}`);
}

await runProgram(
  createProgram("backup -- <file>", "Write all data, as of one instant, to a new file.")
    .argument("<file>", "a file that does not exist")
    .action(backup),
);
