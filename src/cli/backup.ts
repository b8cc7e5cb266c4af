import { recordBackup, writeBackup } from "@/db/backup";
import { createProgram, type Output, print, runProgram, withContext } from "./command";

async function backup(file: string, output: Output): Promise<void> {
  const { tables, rows } = await withContext(async (ctx) => {
    const size = await writeBackup(ctx.url, file);
    await recordBackup(ctx);
    return size;
  });
  print(output, { file, tables, rows }, `${file} holds ${tables} tables with ${rows} rows.`);
}

await runProgram(
  createProgram("backup -- <file>", "Write all data, as of one instant, to a new file.")
    .argument("<file>", "a file that does not exist")
    .action(backup),
);
