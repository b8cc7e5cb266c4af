import nextEnv from "@next/env";
import type { CoreContext } from "@/core/context";
import { type DatabaseConnection, isDatabaseUnavailable, withoutParameters } from "@/core/db/client";
import { openDatabase } from "@/core/db/open";
import { type Env, readEnv } from "@/core/env";
import { errorMessage, isAppError, isOperatorError } from "@/core/errors";
import { createLog, type Log } from "@/core/log/log";
import { SECOND, systemClock } from "@/core/time";

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
  work: (parts: { env: Env; db: DatabaseConnection["db"]; log: Log }) => Promise<T>,
): Promise<T> {
  const env = loadEnv(false);
  const log = createLog({ level: env.logLevel, to: "stderr" });
  return whileOpen(await openDatabase(env, "command", log), (db) => work({ env, db, log }));
}

/** The same for verbs that need no more than the core. */
export function withContext<T>(work: (ctx: CoreContext) => Promise<T>): Promise<T> {
  return withDatabase(({ db, log }) => work({ db, log, clock: systemClock }));
}

/** What is open now and has to be closed before the process ends, however it ends. */
const open = new Set<DatabaseConnection>();

/** Runs work with a database and closes it after, also when the command is interrupted. */
export async function whileOpen<T>(
  database: DatabaseConnection,
  work: (db: DatabaseConnection["db"]) => Promise<T>,
): Promise<T> {
  open.add(database);
  try {
    return await work(database.db);
  } finally {
    if (open.delete(database)) await database.close();
  }
}

/** Runs a command to its end. A mistake of the operator or a lost database is one line and exit code 1, anything else has its stack. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  process.on("uncaughtException", endAtOnce);
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${failureOf(error)}\n`);
    process.exitCode = 1;
  }
}

function failureOf(error: unknown): string {
  if (isOperatorError(error) || isAppError(error)) return `Error: ${error.message}`;
  if (!isDatabaseUnavailable(error)) return describe(withoutParameters(error));
  return `Error: the database cannot be used any more (${errorMessage(error)}); look whether it has been done before you try again`;
}

function endAtOnce(error: unknown): void {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 };

/** Lets an interrupted command close what it has open before it ends. */
export function closeOnSignal(): void {
  onSignal(async (signal) => {
    const closing = [...open].map((database) => database.close());
    open.clear();
    await Promise.allSettled(closing);
    process.exit(SIGNAL_CODES[signal]);
  });
}

/** Has a process end in its own way when it is told to; told again, it ends at once. */
export function onSignal(end: (signal: keyof typeof SIGNAL_CODES) => void): void {
  let endingSince: number | null = null;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (endingSince === null) {
        endingSince = now;
        end(signal);
        // A terminal signals npm and the process, and npm hands its own on: that is one.
      } else if (now - endingSince > SECOND) process.exit(1);
    });
}

function describe(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack : errorMessage(error);
}
