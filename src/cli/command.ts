import nextEnv from "@next/env";
import { Command, InvalidArgumentError } from "commander";
import type { z } from "zod";
import { type Env, readEnv } from "@/core/env";
import { getErrorMessage, isAppError, isOperatorError, OperatorError } from "@/core/errors";
import { createLog } from "@/core/log/log";
import { SECOND, systemClock } from "@/core/time";
import { type DatabaseConnection, isDatabaseUnavailable, withoutParameters } from "@/db/client";
import type { CoreContext } from "@/db/context";
import type { EmbeddedRole } from "@/db/embedded/server";
import { openDatabase } from "@/db/open";

/** What a command works with. */
export interface CommandContext extends CoreContext {
  env: Env;
  /** Address of the database. */
  url: string;
}

export interface Output {
  json?: boolean;
}

/** A program with the option `--json`, run by `npm run <usage>`; the usage begins with its name, or with `tools --`. */
export function createProgram(usage: string, description: string): Command {
  return new Command(usage.replace("tools -- ", "").split(" ")[0])
    .description(`${description}\nRun as: npm run ${usage}`)
    .option("--json", "print JSON only, for scripts")
    .configureOutput({
      outputError: (text, write) => write(wantsJson() ? `${JSON.stringify({ error: toErrorText(text) })}\n` : text),
    });
}

/** Reads an argument or option by a schema. */
export function createParser<Value>(schema: z.ZodType<Value>): (text: string) => Value {
  return (text) => {
    const { success, data, error } = schema.safeParse(text);
    if (success) return data;
    throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
  };
}

/** Prints a command's result on stdout: as JSON with `--json`, else as text. */
export function print({ json }: Output, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

/** Parses the command line and runs the action that it names. */
export async function runProgram(program: Command): Promise<void> {
  closeOnSignal();
  await runCommand(async () => {
    await program.parseAsync();
  });
}

/** Runs a command. An operator's mistake or a lost database prints one line, any other error its stack; the exit code is 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${describe(error)}\n`);
    process.exit(1);
  });
  try {
    await main();
  } catch (error) {
    const text = formatError(error);
    process.stderr.write(`${wantsJson() ? JSON.stringify({ error: toErrorText(text) }) : text}\n`);
    process.exitCode = 1;
  }
}

const toErrorText = (text: string) => text.trim().replace(/^error: /i, "");

/** Commander's own errors come before the options are known. */
const wantsJson = () => process.argv.includes("--json");

/** Reads `.env` files as Next does, then the environment. @throws OperatorError for a wrong variable */
export function loadEnv(dev: boolean, canSign = true): Env {
  nextEnv.loadEnvConfig(process.cwd(), dev, {
    info: () => {},
    error: (...words) => process.stderr.write(`${words.join(" ")}\n`),
  });
  return readEnv(undefined, canSign);
}

/**
 * Runs work on the service's database and closes it. Logs go to stderr.
 * @param role "app" while no service may run on an embedded database, "command" beside a running one
 */
export async function withContext<T>(work: (ctx: CommandContext) => Promise<T>, role: EmbeddedRole = "command") {
  // Commands that sign need the secret when they create the service's context.
  const env = loadEnv(false, false);
  const log = createLog({ level: env.logLevel, to: "stderr" });
  const database = await openDatabase(env, role, log);
  return withDatabase(database, (db) => work({ env, db, url: database.url, log, clock: systemClock }));
}

const open = new Set<DatabaseConnection>();

/** Runs work on a database and closes it, also when a signal interrupts the work. */
export async function withDatabase<T>(
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

const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 };

let mayHaveChanged = false;

/** Notes that from here on an interrupted command may have changed something. */
export function beginChanges(): void {
  mayHaveChanged = true;
}

function closeOnSignal(): void {
  handleSignals(async (signal) => {
    const text = `Stopped.${mayHaveChanged ? "" : " Nothing was changed."}`;
    process.stderr.write(`\n${wantsJson() ? JSON.stringify({ error: text }) : text}\n`);
    const closing = [...open].map((database) => database.close());
    open.clear();
    await Promise.allSettled(closing);
    process.exit(SIGNAL_CODES[signal]);
  });
}

/** Calls `end` on the first SIGTERM or SIGINT. A second signal ends the process at once. */
export function handleSignals(end: (signal: keyof typeof SIGNAL_CODES) => void): void {
  let endingSince: number | null = null;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      const now = performance.now();
      if (endingSince === null) {
        endingSince = now;
        end(signal);
        // Ctrl-C in a terminal reaches the process twice: directly, and forwarded by npm.
      } else if (now - endingSince > SECOND) process.exit(1);
    });
}

/** Seconds since a performance.now() timestamp, to a tenth. */
export function getSecondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

/** Turns a file error into an OperatorError. */
export function createFileErrorHandler(what: string): (error: unknown) => never {
  return (error) => {
    throw new OperatorError(`${what}: ${getErrorMessage(error)}`);
  };
}

function formatError(error: unknown): string {
  if (isOperatorError(error) || isAppError(error)) return `Error: ${error.message}`;
  if (!isDatabaseUnavailable(error)) return describe(withoutParameters(error));
  return `Error: lost the database (${getErrorMessage(error)}). Check what was done before you run the command again.`;
}

function describe(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack : getErrorMessage(error);
}
