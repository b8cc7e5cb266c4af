import { Command } from "commander";
import { writeBackup } from "@/core/db/backup/write";
import { openDatabase } from "@/core/db/open";
import { createLog } from "@/core/log/log";
import { closeOnSignal, loadEnv, runCommand, whileOpen } from "./command";

const program = new Command("backup")
  .description(
    "Write all data of the service, as it stands at one instant, to a new file. Run as: npm run backup -- <file>",
  )
  .argument("<file>", "a name that is not taken");

async function backup(file: string): Promise<void> {
  const env = loadEnv(false);
  const database = await openDatabase(env, "command", createLog({ level: env.logLevel, to: "stderr" }));
  const { tables, rows } = await whileOpen(database, () => writeBackup(database.url, file));
  process.stdout.write(`${file} holds ${tables} tables with ${rows} rows.\n`);
}

closeOnSignal();
await runCommand(async () => {
  program.parse();
  await backup(program.args[0] ?? "");
});
