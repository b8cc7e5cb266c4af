import nextEnv from "@next/env";
import type { CoreContext } from "@/core/context";
import { type OpenedDatabase, openDatabase } from "@/core/db/open";
import { type Env, readEnv } from "@/core/env";
import { AppError, errorMessage, OperatorError } from "@/core/errors";
import { createLog, type Log } from "@/core/log";
import { systemClock } from "@/core/time";

/** Reads `.env` files as Next does, then the environment. */
export function loadEnv(dev: boolean): Env {
  nextEnv.loadEnvConfig(process.cwd(), dev, {
    info: () => {},
    error: (...words) => process.stderr.write(`${words.join(" ")}\n`),
  });
  return readEnv();
}

/** Runs work with the service's database, whether the service is running or not. Logs go to stderr. */
export async function withDatabase<T>(
  work: (parts: { env: Env; db: OpenedDatabase["db"]; log: Log }) => Promise<T>,
): Promise<T> {
  const env = loadEnv(false);
  const log = createLog({ level: env.logLevel, to: "stderr" });
  const database = await openDatabase(env, "command", log);
  try {
    return await work({ env, db: database.db, log });
  } finally {
    await database.close();
  }
}

/** The same for verbs that need no more than the core. */
export function withContext<T>(work: (ctx: CoreContext) => Promise<T>): Promise<T> {
  return withDatabase(({ db, log }) => work({ db, log, clock: systemClock }));
}

/** Runs a command to its end. A mistake of the operator is one line and exit code 1, anything else has its stack. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isExpected = error instanceof OperatorError || error instanceof AppError;
    process.stderr.write(`${isExpected ? `Error: ${error.message}` : describe(error)}\n`);
    process.exitCode = 1;
  }
}

function describe(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack : errorMessage(error);
}
