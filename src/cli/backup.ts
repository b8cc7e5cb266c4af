import { writeBackup } from "@/db/backup";
import { createProgram, type Output, print, runProgram, withContext } from "./command";

async function backup(file: string, output: Output): Promise<void> {
  const { tables, rows } = await withContext(({ url }) => writeBackup(url, file));
  print(output, { file, tables, rows }, `${file} holds ${tables} tables with ${rows} rows.`);
}

await runProgram(
  createProgram("backup -- <file>", "Write all data, as of one instant, to a new file.")
    .argument("<file>", "a file that does not exist")
    .action(backup),
);
