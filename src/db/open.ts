import type { Env } from "@/core/env";
import { getErrorMessage, isOperatorError, OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { connect, type DatabaseConnection, isPoolerRefusal, requireSession } from "./client";
import { type EmbeddedRole, openEmbedded } from "./embedded/server";
import { migrateDatabase } from "./migrate";

type OpenedDatabase = DatabaseConnection & { url: string };

/** The environment's database on the newest schema. @throws OperatorError when a hosted one cannot be used */
export async function openDatabase(env: Env, role: EmbeddedRole, log: Log): Promise<OpenedDatabase> {
  if (env.database.kind === "hosted") return openHosted(env.database);
  const server = await openEmbedded(env.dataDir, role, log, env.mode === "development");
  return openMigrated(server.url, server.close);
}

/** A database of an embedded server on the newest schema. @param release runs once the database is closed or cannot be used */
export async function openMigrated(url: string, release: () => Promise<void>): Promise<OpenedDatabase> {
  try {
    await migrateDatabase(url);
  } catch (error) {
    await release();
    throw error;
  }
  const { db, close } = connect(url);
  return { db, url, close: () => close().then(release) };
}

async function openHosted({ url, directUrl }: { url: string; directUrl: string }): Promise<OpenedDatabase> {
  const connection = connect(url);
  try {
    await migrateDatabase(directUrl);
    await requireSession(connection.db);
    return { ...connection, url };
  } catch (error) {
    await connection.close();
    throw isOperatorError(error) ? error : new OperatorError(describeFault(error));
  }
}

function describeFault(error: unknown): string {
  if (isPoolerRefusal(error))
    return "DATABASE_URL leads to a pooler: add `?pgbouncer=true` to it, and set DIRECT_DATABASE_URL to the database's own address";
  return `DATABASE_URL names a database that cannot be used: ${getErrorMessage(error)}`;
}
