import { migrateDatabase } from "@/db/migrate";

/** Migrates a database, after a message to its parent: `migration-user <database>` with an IPC channel. */
const [database = ""] = process.argv.slice(2);
process.send?.("begun");
await migrateDatabase(database);
process.exit();
