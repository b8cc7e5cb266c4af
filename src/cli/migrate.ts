import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";
import { migrateDatabase } from "@/db/migrate";
import { beginChanges, createProgram, loadEnv, type Output, print, runProgram } from "./command";

async function migrate(output: Output): Promise<void> {
  const { database } = loadEnv(false);
  if (database.kind === "embedded")
    throw new OperatorError("DATABASE_URL is not set. The embedded database is migrated when the service starts");
  beginChanges();
  await migrateDatabase(database.directUrl).catch((error) => {
    if (isOperatorError(error)) throw error;
    const name = database.directUrl === database.url ? "DATABASE_URL" : "DIRECT_DATABASE_URL";
    throw new OperatorError(`The database of ${name} cannot be migrated: ${getErrorMessage(error)}`);
  });
  print(output, { up_to_date: true }, "The database schema is up to date.");
}

await runProgram(createProgram("migrate", "Update the schema of the database of DATABASE_URL.").action(migrate));
