import type { Env } from "@/core/env";
import { errorMessage, isOperatorError, OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import {
  connect,
  type DatabaseConnection,
  isDatabaseUnavailable,
  isPoolerRefusal,
  requireSession,
} from "./client";
import { type EmbeddedRole, type EmbeddedServer, openEmbedded } from "./embedded/server";
import { migrateDatabase } from "./migrate";

const OPENING_ATTEMPTS = 3;

export interface OpenedDatabase extends DatabaseConnection {
  url: string;
}

/** The environment's database on the newest schema. @throws OperatorError when a hosted one cannot be used */
export async function openDatabase(env: Env, role: EmbeddedRole, log: Log): Promise<OpenedDatabase> {
  if (env.database.kind === "hosted") return openHosted(env.database);
  const server = await openMigrated(env.dataDir, role, log);
  const { db, close } = connect(server.url);
  return {
    db,
    url: server.url,
    close: async () => {
      await close();
      await server.close();
    },
  };
}

async function openHosted({ url, directUrl }: { url: string; directUrl: string }): Promise<OpenedDatabase> {
  const connection = connect(url);
  try {
    await migrateDatabase(directUrl);
    await requireSession(connection.db);
    return { ...connection, url };
  } catch (error) {
    await connection.close();
    throw isOperatorError(error) ? error : new OperatorError(faultOf(error));
  }
}

function faultOf(error: unknown): string {
  if (isPoolerRefusal(error))
    return "DATABASE_URL leads to a pooler: add `?pgbouncer=true` to it, and set DIRECT_DATABASE_URL to the database's own address";
  return `DATABASE_URL names a database that cannot be used: ${errorMessage(error)}`;
}

/** Tries again where the server's last user stopped it just after it let this process in. */
async function openMigrated(
  dataDir: string,
  role: EmbeddedRole,
  log: Log,
  attempts = OPENING_ATTEMPTS,
): Promise<EmbeddedServer> {
  const server = await openEmbedded(dataDir, role, log);
  try {
    await migrateDatabase(server.url);
    return server;
  } catch (error) {
    await server.close();
    if (attempts <= 1 || !isDatabaseUnavailable(error)) throw error;
    return openMigrated(dataDir, role, log, attempts - 1);
  }
}
