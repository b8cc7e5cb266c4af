import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { Log } from "@/core/log/log";
import { connect, type DatabaseConnection } from "@/db/client";
import { openEmbedded } from "@/db/embedded/server";
import { migrateDatabase } from "@/db/migrate";

export interface ScratchDatabase extends DatabaseConnection {
  url: string;
}

/** An empty migrated database of its own on the embedded server of a folder. Closing drops it. */
export async function openScratchDatabase(folder: string, log: Log): Promise<ScratchDatabase> {
  const server = await openEmbedded(folder, "command", log);
  const admin = postgres(server.url, { max: 1, onnotice: () => {} });
  const name = `scratch_${randomBytes(8).toString("hex")}`;
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  const connection = connect(url.href);
  return {
    db: connection.db,
    url: url.href,
    close: async () => {
      await connection.close();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
      await server.close();
    },
  };
}
