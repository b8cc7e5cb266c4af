import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

const MIGRATION_LOCK = 7_200;

/**
 * Brings the database to the newest schema. Starts that coincide wait for one another: the lock belongs to the
 * session, so one that dies in the middle leaves neither a lock nor half a migration behind.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(client), { migrationsFolder: path.resolve("drizzle") });
  } finally {
    await client.end({ timeout: 5 });
  }
}
