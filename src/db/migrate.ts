import path from "node:path";
import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { PgDialect, type PgSession } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type postgres from "postgres";
import { OperatorError } from "@/core/errors";
import journal from "../../drizzle/meta/_journal.json" with { type: "json" };
import { readAddress, withConnection } from "./address";
import { type Database, getSqlState } from "./client";
import { SANDBOX_SCHEMA } from "./schema";

const MIGRATION_LOCK = 7_200;
const UNDEFINED_TABLE = "42P01";
const MIGRATIONS = { migrationsFolder: path.resolve("drizzle") };

/** The lock belongs to the session, so a start that dies leaves neither a lock nor half a migration. */
export async function migrateDatabase(connectionString: string): Promise<void> {
  if (readAddress(connectionString).isPooled)
    throw new OperatorError(
      "Migrations cannot pass the transaction pooler that DATABASE_URL names; set DIRECT_DATABASE_URL to the database's own address",
    );
  await withConnection(connectionString, async (client) => {
    await requireUtf8(client);
    const db = drizzle(client);
    const missing = [await listMissingMigrations(db), await listMissingMigrations(db, SANDBOX_SCHEMA)];
    if (missing.flat().length === 0) return;
    // The server ends a session that is halted inside the migration, so others need not wait for it.
    await client`set idle_in_transaction_session_timeout = '60s'`;
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(db, MIGRATIONS);
    await client`set search_path to ${client(SANDBOX_SCHEMA)}`;
    await migrateSandbox(db);
  });
}

/** The generated files name the ordinary schema in references only; all else is found by the search path. */
async function migrateSandbox(db: PostgresJsDatabase): Promise<void> {
  const migrations = readMigrationFiles(MIGRATIONS).map((file) => ({
    ...file,
    sql: file.sql.map((text) => text.replaceAll('"public".', `"${SANDBOX_SCHEMA}".`)),
  }));
  // The types of a session do not fit the dialect that it was made by.
  const session = db._.session as unknown as PgSession;
  await new PgDialect().migrate(migrations, session, { ...MIGRATIONS, migrationsSchema: SANDBOX_SCHEMA });
}

async function requireUtf8(client: postgres.Sql): Promise<void> {
  const [row] = await client<{ server_encoding: string }[]>`show server_encoding`;
  if (row?.server_encoding !== "UTF8")
    throw new OperatorError(
      `The database must have the encoding UTF8, not ${row?.server_encoding}; create one with \`create database … encoding 'UTF8' locale 'C' template template0\``,
    );
}

/** The migrations that a database lacks. @throws OperatorError where another version with no way to this one made it */
export async function listMissingMigrations(
  db: Pick<Database, "execute">,
  schema: "drizzle" | typeof SANDBOX_SCHEMA = "drizzle",
): Promise<string[]> {
  const applied = await listApplied(db, schema);
  const known = journal.entries.map(({ when }) => when);
  const unknown = applied.filter((when) => !known.includes(when));
  if (unknown.some((when) => when > Math.max(...known))) throw new OperatorError(NEWER_SCHEMA);
  if (unknown.length > 0) throw new OperatorError(UNKNOWN_SCHEMA);
  return journal.entries.filter(({ when }) => !applied.includes(when)).map(({ tag }) => tag);
}

const NEWER_SCHEMA =
  "The database was migrated by a newer version of this service: run that version, or restore a backup from before the upgrade";
const UNKNOWN_SCHEMA =
  "The database was made by another version of this service, which this one cannot upgrade: run that version, or start with a new database (for the embedded one, delete .data)";

/** When the applied migrations were generated, in milliseconds. */
async function listApplied(db: Pick<Database, "execute">, schema: string): Promise<number[]> {
  const table = sql`${sql.identifier(schema)}.__drizzle_migrations`;
  try {
    const rows = await db.execute<{ at: string }>(sql`select created_at::text as at from ${table}`);
    return rows.map(({ at }) => Number(at));
  } catch (error) {
    if (getSqlState(error) === UNDEFINED_TABLE) return [];
    throw error;
  }
}
