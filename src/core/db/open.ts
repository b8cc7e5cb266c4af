import { connect, type DatabaseConnection } from "@/core/db/client";
import { type EmbeddedRole, openEmbedded } from "@/core/db/embedded/server";
import { migrateDatabase } from "@/core/db/migrate";
import type { Env } from "@/core/env";
import { errorMessage, OperatorError } from "@/core/errors";
import type { Log } from "@/core/log";

export interface OpenedDatabase extends DatabaseConnection {
  url: string;
}

/**
 * The database this environment asks for, on the newest schema: the hosted one, or the embedded one of the data
 * folder, which is started when it does not run and stopped when its last user closes it.
 * @throws OperatorError when the hosted database cannot be reached or migrated
 */
export async function openDatabase(env: Env, role: EmbeddedRole, log: Log): Promise<OpenedDatabase> {
  const server =
    env.database.kind === "hosted"
      ? { url: env.database.url, close: async () => {} }
      : await openEmbedded(env.dataDir, role, log);
  try {
    await migrateDatabase(env.database.kind === "hosted" ? env.database.directUrl : server.url);
  } catch (error) {
    await server.close();
    if (env.database.kind === "embedded" || error instanceof OperatorError) throw error;
    throw new OperatorError(`DATABASE_URL names a database that cannot be used: ${errorMessage(error)}`);
  }
  const connection = connect(server.url);
  return {
    ...connection,
    url: server.url,
    close: async () => {
      await connection.close();
      await server.close();
    },
  };
}
