import { Command } from "commander";
import { migrateDatabase } from "@/core/db/migrate";
import { errorMessage, isOperatorError, OperatorError } from "@/core/errors";
import { loadEnv, runCommand } from "./command";

const program = new Command("migrate").description(
  "Bring the database of DATABASE_URL to the newest schema, before a deployment that needs it. Run as: npm run migrate",
);

/** The embedded database needs no such command: it is migrated at every start. */
async function migrate(): Promise<void> {
  const { database } = loadEnv(false);
  if (database.kind === "embedded")
    throw new OperatorError(
      "DATABASE_URL is not set; the embedded database is migrated when the service starts",
    );
  await migrateDatabase(database.directUrl).catch((error) => {
    if (isOperatorError(error)) throw error;
    const name = database.directUrl === database.url ? "DATABASE_URL" : "DIRECT_DATABASE_URL";
    throw new OperatorError(`${name} names a database that cannot be migrated: ${errorMessage(error)}`);
  });
  process.stdout.write("The database is on the newest schema.\n");
}

await runCommand(async () => {
  program.parse();
  await migrate();
});
