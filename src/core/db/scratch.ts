import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { Log } from "@/core/log/log";
import { connect, type DatabaseConnection } from "./client";
import { openEmbedded } from "./embedded/server";
import { migrateDatabase } from "./migrate";

const PREFIX = "scratch_";

export interface ScratchDatabase extends DatabaseConnection {
  url: string;
}

interface ScratchOptions {
  durable?: boolean;
}

/** An empty migrated database on the embedded server. One that a killed process left is dropped when the next opens. */
export async function openScratchDatabase(
  dataDir: string,
  log: Log,
  { durable = false }: ScratchOptions = {},
): Promise<ScratchDatabase> {
  const server = await openEmbedded(dataDir, "command", log);
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  const name = PREFIX + randomBytes(8).toString("hex");
  await dropAbandoned(admin);
  await admin.unsafe(`create database ${name}`);
  if (!durable) await admin.unsafe(`alter database ${name} set synchronous_commit = off`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  // Marks the database as used while the pool is idle.
  const keeper = postgres(url.href, { max: 1, onnotice: () => {} });
  await keeper`select`;
  await migrateDatabase(url.href);
  const connection = connect(url.href);
  return {
    db: connection.db,
    url: url.href,
    close: async () => {
      await connection.close();
      await keeper.end();
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
      await server.close();
    },
  };
}

async function dropAbandoned(admin: postgres.Sql): Promise<void> {
  const abandoned = await admin<{ datname: string }[]>`
    select datname from pg_database
    where starts_with(datname, ${PREFIX}) and not exists (
      select from pg_stat_activity where pg_stat_activity.datname = pg_database.datname
    )`;
  for (const { datname } of abandoned) await admin.unsafe(`drop database if exists ${datname}`);
}
