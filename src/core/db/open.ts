import { connect, type DatabaseConnection, isDatabaseUnavailable, requireSession } from "@/core/db/client";
import { type EmbeddedRole, type EmbeddedServer, openEmbedded } from "@/core/db/embedded/server";
import { migrateDatabase } from "@/core/db/migrate";
import type { Env } from "@/core/env";
import { errorMessage, isOperatorError, OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";

const OPENING_TURNS = 3;

export interface OpenedDatabase extends DatabaseConnection {
  url: string;
}

/**
 * The database this environment asks for, on the newest schema: the hosted one, or the embedded one of the data
 * folder, which is started when it does not run and stopped when its last user closes it.
 * @throws OperatorError when the hosted database cannot be reached or migrated, or its sessions are not as asked for
 */
export async function openDatabase(env: Env, role: EmbeddedRole, log: Log): Promise<OpenedDatabase> {
  const { database } = env;
  const server =
    database.kind === "hosted" ? await openHosted(database) : await openOwn(env.dataDir, role, log);
  const connection = connect(server.url);
  if (database.kind === "hosted")
    await requireSession(connection.db).catch(async (error) => {
      await connection.close();
      throw unusable(error);
    });
  return {
    ...connection,
    url: server.url,
    close: async () => {
      await connection.close();
      await server.close();
    },
  };
}

async function openHosted({ url, directUrl }: { url: string; directUrl: string }): Promise<EmbeddedServer> {
  await migrateDatabase(directUrl).catch((error) => {
    throw unusable(error);
  });
  return { url, close: async () => {} };
}

function unusable(error: unknown): OperatorError {
  if (isOperatorError(error)) return error;
  return new OperatorError(`DATABASE_URL names a database that cannot be used: ${errorMessage(error)}`);
}

/** A server whose last user leaves just as we come may cut us off after it has let us in: then we look again. */
async function openOwn(
  dataDir: string,
  role: EmbeddedRole,
  log: Log,
  turns = OPENING_TURNS,
): Promise<EmbeddedServer> {
  const server = await openEmbedded(dataDir, role, log);
  try {
    await migrateDatabase(server.url);
    return server;
  } catch (error) {
    await server.close();
    if (turns <= 1 || !isDatabaseUnavailable(error)) throw error;
    return openOwn(dataDir, role, log, turns - 1);
  }
}
