import { Command } from "commander";
import { restoreBackup } from "@/core/db/backup/restore";
import { openDatabase } from "@/core/db/open";
import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { closeOnSignal, loadEnv, runCommand, whileOpen } from "./command";

const program = new Command("restore")
  .description(
    "Fill an empty database with a backup, while the service does not run. Run as: npm run restore -- <file>",
  )
  .argument("<file>", "what `npm run backup` wrote");

async function restore(file: string): Promise<void> {
  const env = loadEnv(false);
  // As the service itself: the embedded database takes only one, so none is running.
  const database = await openDatabase(env, "app", createLog({ level: env.logLevel, to: "stderr" }));
  const { tables, rows } = await whileOpen(database, () => restoreBackup(database.url, file, systemClock));
  process.stdout.write(`The database has ${tables} tables with ${rows} rows from ${file}.
Keys that were revoked or rotated and addresses that unsubscribed since it was made stand again; everybody is signed out,
mails and posts that waited are marked failed, and no test mail is sent before midnight UTC.
`);
}

closeOnSignal();
await runCommand(async () => {
  program.parse();
  await restore(program.args[0] ?? "");
});
