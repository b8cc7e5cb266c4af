import { restoreBackup } from "@/db/backup";
import { createProgram, type Output, print, runProgram, withContext } from "./command";

async function restore(file: string, output: Output): Promise<void> {
  const { tables, rows } = await withContext(({ url, clock }) => restoreBackup(url, file, clock), "app");
  const text = `Restored ${tables} tables with ${rows} rows from ${file}.
All console users are signed out. Emails and monitoring posts that were waiting are marked failed, and no test email is sent
before midnight UTC. Keys revoked or rotated, and addresses unsubscribed, after the backup are active again: check them.`;
  print(output, { file, tables, rows }, text);
}

await runProgram(
  createProgram("restore -- <file>", "Fill an empty database from a backup while the service is stopped.")
    .argument("<file>", "a file that `npm run backup` wrote")
    .action(restore),
);
