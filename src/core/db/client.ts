import { sql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { errorMessage, framesOf, OperatorError } from "@/core/errors";
import { afterAnswer } from "@/core/http/after";
import { SECOND, sleep } from "@/core/time";
import { readAddress } from "./address";
import * as schema from "./schema";
import { pacedSockets } from "./sockets";

/** The database, or a transaction of it: verbs take either, so that they compose. */
export type Database = PostgresJsDatabase<typeof schema>;

export interface DatabaseConnection {
  db: Database;
  close(): Promise<void>;
}

interface ConnectionOptions {
  /** Whether the process may be halted between two requests, beside many of its kind. */
  serverless?: boolean;
}

/** In which form days and instants are told, whatever is set for the role or the database. */
export const SESSION = { TimeZone: "UTC", DateStyle: "ISO" };
/** A statement that has waited for a row goes on with what others have made of it. */
const ISOLATION = { default_transaction_isolation: "read committed" } as const;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A process halted in the midst of a transaction would keep its locks, and whoever waits for them, for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
/** Few, as each is a process of the server: ten took a third more CPU for the same requests of one busy process. */
const LASTING = { max: 6, idle_timeout: 60 };
/** Fewer, as every instance has its own, and soon given back, as a halted instance cannot do it. */
const SERVERLESS = { max: 5, idle_timeout: 5 };
/** Seconds before a server that could not be reached is tried again. */
const backoff = (failures: number) => (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, 2);
/**
 * What no connection has taken by then, as where the database hangs, is done no more: whoever asked for it is about to be
 * answered without. The driver knows it, and the next, by our patch alone.
 */
export const LONGEST_UNSENT = { max_wait: 25 };
/**
 * A connection on which nothing comes for so long, though a statement is under way, is given up: no statement may take
 * longer, and a server that vanished without a word, as when another takes its place, would be waited for until the
 * kernel gives it up, after a quarter of an hour.
 */
export const LONGEST_SILENCE = { max_silence: 150 };
/**
 * Seconds after which a connection is made anew: one to a server that another has replaced may go on answering from
 * what there was. One whose statement is refused as read-only ends at once, by our patch.
 */
const LONGEST_LIFE = { max_lifetime: 300 };
/** A statement with more parameters has one for each of many rows, and too many forms to keep them all. */
const MAX_KEPT_PARAMETERS = 100;

/**
 * Has the database parse each text once per connection. Drizzle asks for that only where a query has a name, and the
 * driver takes two round trips for whatever is not prepared. A connection string with `?prepare=false` overrules it.
 */
function preparing<Client extends Partial<postgres.Sql & postgres.TransactionSql>>(client: Client): Client {
  const { unsafe, begin, savepoint } = client;
  type Work = (inner: postgres.TransactionSql) => unknown;
  const scoped = (open: unknown) => (work: Work) =>
    // The driver's overloads and generics say no more than this.
    (open as (work: Work) => unknown)((inner) => work(preparing(inner)));
  return Object.assign(client, {
    ...(unsafe && {
      unsafe: ((text, parameters = [], options) =>
        unsafe(text, parameters, {
          ...options,
          prepare: parameters.length <= MAX_KEPT_PARAMETERS,
        })) as postgres.Sql["unsafe"],
    }),
    ...(begin && { begin: scoped(begin) }),
    ...(savepoint && { savepoint: scoped(savepoint) }),
  });
}

/**
 * Opens a pool of connections. Nothing is sent before the first query. The driver is installed with a patch: its lists
 * of connections would grow with every statement, and be searched from end to end for each; a connection that was lost
 * would leave what it had not sent, and its last error, to the one that takes its place; a transaction that was lost
 * would send the rest of its statements there, and one that begins behind a hundred statements would be everybody's; a
 * statement that cannot be sent would have each after it answered by the next; one that no connection takes would be
 * done whenever the database is back, whoever still waits for it; one session of a server that takes no changes would be
 * asked again and again, though another would be read-write; a statement that failed in the middle of
 * its rows would leave as many holes in front of the next one's; one that is not prepared would be sent in two parts each
 * time, and a process that is halted in between keep a pooler's server from all others; one prepared for another schema would be sent anew among
 * those under way, each of which would be answered by another's rows; the end of a COPY could leave its connection
 * paused for ever; and a connection that is lost while the driver asks it for the types of arrays could end the process.
 */
export function connect(
  connectionString: string,
  { serverless = false }: ConnectionOptions = {},
): DatabaseConnection {
  const { url, isPooled, prepare, ssl } = readAddress(connectionString);
  const pool = serverless ? SERVERLESS : LASTING;
  const options = {
    ...pool,
    ssl,
    connect_timeout: 10,
    backoff,
    ...LONGEST_UNSENT,
    ...LONGEST_SILENCE,
    ...LONGEST_LIFE,
    // The driver's types do not know it.
    socket: pacedSockets(pool.max),
    // A pooler's sessions know neither each other's statements nor their settings.
    prepare,
    // One that is not prepared is sent in two parts: behind another, a pooler of transactions would lose its first answer.
    ...(!prepare && { max_pipeline: 0 }),
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
    debug: serverless ? holdUntilIdle((pool.idle_timeout + 1) * SECOND) : false,
  };
  const client = postgres(url, options);
  return {
    db: drizzle(preparing(client), { schema, casing: "snake_case" }),
    close: () => client.end({ timeout: 5 }),
  };
}

/**
 * Told of each query, asks the host not to halt the process before its connections have idled out: a halted one would
 * keep them open at the server, of which each instance has some.
 */
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
    afterAnswer(hold());
  };
}

/**
 * Connections that broke, and the SQLSTATEs for "cannot serve now": 08 connection, 53 resources, 57P shutdown, 58 the
 * system's, 57014, 25P03 and 25P04 timeout, 40 lost against another transaction, 55P03 lock not to be had. And those of
 * a server that is being replaced: 25006 read-only, 28 nobody is let in, 3D000 no such database, 55000 no connections
 * taken.
 */
const UNAVAILABLE =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOST|CONNECT|CONNECTION_|08|53|57P0|57014|58|25P03|25P04|25006|28|3D000|40001|40P01|55000|55P03)/;
/** Why TLS came to nothing. */
const UNTRUSTED =
  /^(CERT_|CRL_|DEPTH_ZERO_|EPROTO|ERR_SSL_|ERR_TLS_|ERROR_IN_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** The server's routines that find that a statement was prepared for another schema, or by another session. */
const STALE = new Set<unknown>(["RevalidateCachedQuery", "FetchPreparedStatement"]);

/** What the system, TLS or the server said of a fault. */
type Fault = Partial<Record<"code" | "constraint_name" | "syscall" | "severity" | "routine", unknown>>;

/** Whatever keeps a connection from being made, or has the server end it, and what else means that it cannot serve now. */
function isAway({ code, syscall, severity, routine }: Fault): boolean {
  if (syscall === "connect" || syscall === "getaddrinfo" || severity === "FATAL") return true;
  if (STALE.has(routine)) return true;
  return typeof code === "string" && (UNAVAILABLE.test(code) || UNTRUSTED.test(code));
}

/** Whether an error means that the database cannot be reached or is shutting down, so that a retry may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causes(error).some(isAway);
}

/**
 * An error that whoever takes it may write down whole: of a statement that failed nothing is left but why and where, as
 * what was asked may be addresses and whole mails. It is judged as the one that it is made of.
 */
export function withoutParameters(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!("query" in error)) {
    if (error.cause !== undefined) error.cause = withoutParameters(error.cause);
    return error;
  }
  const told = new Error(errorMessage(error));
  told.stack = `${told.message}\n${framesOf(error)}`;
  const faults = causes(error);
  const { code, syscall, severity, routine } =
    faults.find(isAway) ?? faults.find((fault) => fault.code) ?? {};
  const said = Object.entries({ code, syscall, severity, routine }).filter(([, word]) => word);
  return Object.assign(told, Object.fromEntries(said));
}

/**
 * Makes sure that the database takes changes.
 * @throws what means that it is not available (25006) where it only answers, as one that was replaced may
 */
export async function requireWritable(db: Database): Promise<void> {
  await db.execute(sql`update api_keys set label = label where false`);
}

/**
 * Makes sure that sessions are as they are asked for, as poolers hand on only some of it.
 * @throws OperatorError that says what is to be set for the role instead
 */
export async function requireSession(db: Database): Promise<void> {
  for (const [name, value] of Object.entries({ DateStyle: SESSION.DateStyle, ...ISOLATION })) {
    const [row] = await db.execute<{ setting: string }>(sql`select current_setting(${name}) as setting`);
    // Behind the style stands how days are read that are not written as ISO 8601 has them, of which there are none.
    if (row?.setting.split(",")[0] !== value)
      throw new OperatorError(
        `The database's sessions have ${name} '${row?.setting}' in place of '${value}': alter role <role of DATABASE_URL> set ${name} = '${value}'`,
      );
  }
}

/** The SQLSTATE of an error, or the code of the network fault behind it. */
export function sqlStateOf(error: unknown): string | null {
  const { code } = causes(error).find((cause) => typeof cause.code === "string") ?? {};
  return typeof code === "string" ? code : null;
}

/** Whether a row was refused because one that it refers to was deleted meanwhile. */
export function isMissingReference(error: unknown): boolean {
  return causes(error).some(({ code }) => code === "23503");
}

/** Whether a row was refused because the key it belongs to is gone. */
export function isMissingKey(error: unknown): boolean {
  return causes(error).some(
    ({ code, constraint_name: name }) =>
      code === "23503" && typeof name === "string" && name.includes("_key_id_"),
  );
}

/** An error and what led to it, with whatever fields the driver gave them; of one that has several causes, all. */
function causes(error: unknown): Fault[] {
  if (!(error instanceof Error)) return [];
  const several: unknown[] = error instanceof AggregateError ? error.errors : [];
  const fault: object = error;
  return [fault, ...[error.cause, ...several].flatMap(causes)];
}
