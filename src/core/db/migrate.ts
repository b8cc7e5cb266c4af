import path from "node:path";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { OperatorError } from "@/core/errors";
import journal from "../../../drizzle/meta/_journal.json" with { type: "json" };
import { readAddress } from "./address";
import { type Database, LONGEST_UNSENT, sqlStateOf } from "./client";
import { pacedSockets } from "./sockets";

const MIGRATION_LOCK = 7_200;
const UNDEFINED_TABLE = "42P01";
/** Seconds that a connection may be silent while it is asked whether there is anything to do. */
const QUICK = { max_silence: 30 };
/** Longer than a migration, and whoever waits for it, may take: a connection that vanished says nothing for ever. */
const PATIENT = { max_silence: 15 * 60 };
/**
 * Brings the database to the newest schema. Starts that coincide wait for one another, where there is anything to do:
 * the lock belongs to the session, so one that dies in the middle leaves neither a lock nor half a migration behind.
 * @throws OperatorError for a transaction pooler, which hands out sessions for less than that, and for a database that
 *   cannot hold every letter
 */
export async function migrateDatabase(connectionString: string): Promise<void> {
  const address = readAddress(connectionString);
  if (address.isPooled)
    throw new OperatorError(
      "Migrations cannot pass the transaction pooler that DATABASE_URL names; set DIRECT_DATABASE_URL to the database's own address",
    );
  const isCurrent = await withClient(address, QUICK, async (client) => {
    await requireEveryLetter(client);
    return (await missingMigrations(drizzle(client))).length === 0;
  });
  if (isCurrent) return;
  await withClient(address, PATIENT, async (client) => {
    // A process that is halted in the middle would keep all others waiting.
    await client`set idle_in_transaction_session_timeout = '60s'`;
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await migrate(drizzle(client), { migrationsFolder: path.resolve("drizzle") });
  });
}

async function withClient<T>(
  { url, ssl }: ReturnType<typeof readAddress>,
  silence: { max_silence: number },
  work: (client: postgres.Sql) => Promise<T>,
): Promise<T> {
  const limits = { connect_timeout: 10, ...LONGEST_UNSENT, ...silence };
  const options = { max: 1, ssl, ...limits, socket: pacedSockets(1), onnotice: () => {} };
  const client = postgres(url, options);
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

async function requireEveryLetter(client: postgres.Sql): Promise<void> {
  const [row] = await client<{ server_encoding: string }[]>`show server_encoding`;
  if (row?.server_encoding !== "UTF8")
    throw new OperatorError(
      `The database must have the encoding UTF8, not ${row?.server_encoding}; make it anew with \`create database … encoding 'UTF8' locale 'C' template template0\``,
    );
}

/** Names of the migrations that the database lacks. */
export async function missingMigrations(db: Pick<Database, "execute">): Promise<string[]> {
  const newest = await db
    .execute<{ at: string | null }>(sql`select max(created_at)::text as at from drizzle.__drizzle_migrations`)
    .then(
      ([row]) => Number(row?.at ?? 0),
      (error) => {
        if (sqlStateOf(error) === UNDEFINED_TABLE) return 0;
        throw error;
      },
    );
  return journal.entries.filter(({ when }) => when > newest).map(({ tag }) => tag);
}
