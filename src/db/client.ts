import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import {
  AppError,
  getErrorMessage,
  getStackFrames,
  INVALID_API_KEY,
  isAppError,
  OperatorError,
  SERVICE_UNAVAILABLE,
} from "@/core/errors";
import { runAfterResponse } from "@/core/http/after";
import { SECOND, sleep } from "@/core/time";
import { readAddress } from "./address";
import { openPool } from "./pool";
import * as schema from "./schema";

/** The database, or a transaction of it. */
export type Database = PostgresJsDatabase<typeof schema>;

export interface DatabaseConnection {
  db: Database;
  close(): Promise<void>;
}

export const SESSION = { TimeZone: "UTC", DateStyle: "ISO" };
/** A statement that waited for a row lock sees the committed change. */
const ISOLATION = { default_transaction_isolation: "read committed" } as const;
const STATEMENT_TIMEOUT_MS = 30_000;
/** The server ends the session of a process that was killed or halted inside a transaction, and frees its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** Each connection is a server process: ten take a third more CPU than six for the same requests. */
const LASTING = { max: 6, idle_timeout: 60 };
/** A halted instance cannot close its connections. */
const SERVERLESS = { max: 5, idle_timeout: 5 };
/** Supavisor stalls when statements are sent behind the one under way (porsager/postgres#970). */
const ONE_AT_A_TIME = { max_pipeline: 0 };
/** Seconds until a server that refused a connection is tried again. */
const computeBackoff = (failures: number) => (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, 2);

/**
 * Opens a pool, whose connections are opened when they are needed.
 * @param size `serverless`: whether the host may halt the process between two requests. `max`: connections
 */
export function connect(connectionString: string, size: { serverless?: boolean; max?: number } = {}) {
  const { serverless = false } = size;
  const { url, isPooled, prepare, ssl } = readAddress(connectionString);
  const usual = serverless ? SERVERLESS : LASTING;
  const { max = usual.max } = size;
  const options = {
    ...usual,
    max,
    ssl,
    connect_timeout: 10,
    backoff: computeBackoff,
    prepare,
    ...(isPooled && ONE_AT_A_TIME),
    connection: {
      application_name: "creator-growth",
      ...SESSION,
      ...(!isPooled && {
        ...ISOLATION,
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      }),
    },
    onnotice: () => {},
    debug: serverless ? holdUntilIdle((usual.idle_timeout + 1) * SECOND) : false,
  };
  const { client, ...pool } = openPool(() => postgres(url, options));
  return { db: drizzle(client, { schema, casing: "snake_case" }), ...pool };
}

/** Asks the host, at each query, not to halt the process before its connections have idled out. */
function holdUntilIdle(idleMs: number): () => void {
  let until = 0;
  let isHolding = false;
  const hold = async () => {
    for (let left = idleMs; left > 0; left = until - performance.now()) await sleep(left);
    isHolding = false;
  };
  return () => {
    until = performance.now() + idleMs;
    if (isHolding) return;
    isHolding = true;
    runAfterResponse(hold());
  };
}

/** Connection exception, transaction rollback, insufficient resources, operator intervention, system error. */
const UNAVAILABLE_CLASSES = /^(08|40|53|57|58)/;
/** Read-only transaction, idle in transaction, transaction timeout, lock not available; then Node and the driver. */
const UNAVAILABLE = /^(25006|25P03|25P04|55P03|ECONNRESET|EPIPE|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_\w+)$/;
/** The server's routines that find a prepared statement outdated by a migration, or of another session. */
const STALE = new Set<unknown>(["RevalidateCachedQuery", "FetchPreparedStatement"]);
const FOREIGN_KEY_VIOLATION = "23503";

type Fault = Partial<Record<"code" | "constraint_name" | "syscall" | "severity" | "routine", unknown>>;

function isUnavailable({ code, syscall, severity, routine }: Fault): boolean {
  if (syscall === "connect" || syscall === "getaddrinfo" || severity === "FATAL") return true;
  if (STALE.has(routine)) return true;
  return typeof code === "string" && (UNAVAILABLE_CLASSES.test(code) || UNAVAILABLE.test(code));
}

/** Whether an error means that the database cannot be reached or cannot serve now, so that a retry may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return listCauses(error).some(isUnavailable);
}

/** The values of a failed statement may be addresses and whole mails, so logs get the error without them. */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!("query" in error)) {
    if (error.cause !== undefined) error.cause = withoutParameters(error.cause);
    return error;
  }
  const safe = new Error(getErrorMessage(error));
  safe.stack = `${safe.message}\n${getStackFrames(error)}`;
  const faults = listCauses(error);
  const { code, syscall, severity, routine } = faults.find(isUnavailable) ?? faults.find((fault) => fault.code) ?? {};
  const known = Object.entries({ code, syscall, severity, routine }).filter(([, value]) => value);
  return Object.assign(safe, Object.fromEntries(known));
}

/** @throws 25006, which counts as unavailable, where the database is read-only */
export async function requireWritable(db: Database): Promise<void> {
  await db.execute(sql`update api_keys set label = label where false`);
}

/** Poolers pass on only some settings. @throws OperatorError that says what to set for the role instead */
export async function requireSession(db: Database): Promise<void> {
  for (const [name, value] of Object.entries({ DateStyle: SESSION.DateStyle, ...ISOLATION })) {
    const [row] = await db.execute<{ setting: string }>(sql`select current_setting(${name}) as setting`);
    // DateStyle ends with the order of day and month, which ISO 8601 does not use.
    if (row?.setting.split(",")[0] !== value)
      throw new OperatorError(
        `The database's sessions have ${name} '${row?.setting}' in place of '${value}': alter role <role of DATABASE_URL> set ${name} = '${value}'`,
      );
  }
}

/** Whether a pooler refused the settings of a session. */
export function isPoolerRefusal(error: unknown): boolean {
  return getSqlState(error) === "08P01" && /startup parameter/.test(getErrorMessage(error));
}

export function getSqlState(error: unknown): string | null {
  const { code } = listCauses(error).find((cause) => typeof cause.code === "string") ?? {};
  return typeof code === "string" ? code : null;
}

/** Whether a referenced row was deleted concurrently. */
export function isMissingReference(error: unknown): boolean {
  return listCauses(error).some(({ code }) => code === FOREIGN_KEY_VIOLATION);
}

/** Whether the API key was deleted concurrently. */
export function isMissingKey(error: unknown): boolean {
  const isOfKey = ({ constraint_name: name }: Fault) => typeof name === "string" && name.includes("_key_id_");
  return isMissingReference(error) && listCauses(error).some(isOfKey);
}

function listCauses(error: unknown): Fault[] {
  if (!(error instanceof Error)) return [];
  const several: unknown[] = error instanceof AggregateError ? error.errors : [];
  const fault: object = error;
  return [fault, ...[error.cause, ...several].flatMap(listCauses)];
}

export const DATABASE_RETRY_SECONDS = 5;

/** What a client may read of an error; null when it is unexpected. */
export function toClientError(error: unknown): AppError | null {
  if (isAppError(error)) return error;
  // The key was deleted after it was admitted.
  if (isMissingKey(error)) return new AppError("unauthorized", INVALID_API_KEY);
  // The next try finds the deleted row missing.
  if (isDatabaseUnavailable(error) || isMissingReference(error))
    return new AppError("unavailable", SERVICE_UNAVAILABLE, { retryAfter: DATABASE_RETRY_SECONDS });
  return null;
}
