import { sql } from "drizzle-orm";
import { readAddress } from "@/core/db/address";
import { connect, type Database, isPoolerRefusal, requireSession, sqlStateOf } from "@/core/db/client";
import { missingMigrations } from "@/core/db/migrate";
import { openDatabase } from "@/core/db/open";
import type { Env } from "@/core/env";
import { errorMessage, isOperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { type Finding, findings } from "./finding";

const MIGRATE = "run `npm run migrate`";

/** Whether the database can be reached and used, by this process and by migrations. */
export function checkDatabase(env: Env, log: Log): Promise<Finding[]> {
  return env.database.kind === "embedded"
    ? checkEmbedded(env, log)
    : checkHosted(env.database, env.serverless);
}

async function checkEmbedded(env: Env, log: Log): Promise<Finding[]> {
  const { ok, wrong } = findings("database", "embedded PostgreSQL");
  try {
    const { db, close } = await openDatabase(env, "command", log);
    await db.execute(sql`select 1`).finally(close);
    return [ok("runs, on the newest schema")];
  } catch (error) {
    return [wrong(errorMessage(error))];
  }
}

async function checkHosted(
  addresses: { url: string; directUrl: string },
  serverless: boolean,
): Promise<Finding[]> {
  const { url, directUrl } = addresses;
  const main = await checkAddress("DATABASE_URL", url);
  const direct = directUrl === url ? [] : [await checkAddress("DIRECT_DATABASE_URL", directUrl)];
  const found = [main, ...direct];
  if (found.some(({ state }) => state === "wrong")) return found;
  return [...found, ...(await checkPooling(addresses, serverless))];
}

async function checkAddress(name: string, url: string): Promise<Finding> {
  const { ok, wrong } = findings("database", name);
  return withConnection(url, async (db) => {
    const missing = await missingMigrations(db);
    if (missing.length > 0) return wrong(`lacks ${missing.join(", ")}: ${MIGRATE}`);
    await requireSession(db);
    return ok("can be used, on the newest schema");
  }).catch((error) => wrong(isOperatorError(error) ? error.message : `${name} ${faultOf(error)}`));
}

/** Settings that a connection through a pooler cannot set. */
const BOUNDS = [
  { setting: "statement_timeout", bound: "30s", without: "statements may run forever" },
  {
    setting: "idle_in_transaction_session_timeout",
    bound: "60s",
    without: "an instance halted in a transaction may keep its locks forever",
  },
];

async function checkPooling(
  { url, directUrl }: { url: string; directUrl: string },
  serverless: boolean,
): Promise<Finding[]> {
  const { note, wrong } = findings("database", "pooler");
  const { isPooled } = readAddress(url);
  if (!isPooled)
    return serverless
      ? [
          note(
            "none: DATABASE_URL should be the address of a pooler, as each instance opens up to 5 connections",
          ),
        ]
      : [];
  if (readAddress(directUrl).isPooled)
    return [wrong("DIRECT_DATABASE_URL must be the database's own address: migrations cannot pass a pooler")];
  const names = sql.join(
    BOUNDS.map(({ setting }) => sql`${setting}`),
    sql`, `,
  );
  const unset = await withConnection(url, (db) =>
    db.execute<{ name: string }>(
      sql`select name from pg_settings where name in (${names}) and setting = '0'`,
    ),
  );
  return BOUNDS.filter(({ setting }) => unset.some(({ name }) => name === setting)).map(
    ({ setting, bound, without }) =>
      note(`${without}: alter role <role of DATABASE_URL> set ${setting} = '${bound}'`),
  );
}

async function withConnection<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = connect(url, { serverless: false });
  try {
    return await work(db);
  } finally {
    await close();
  }
}

const FAULTS: readonly [RegExp, string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "names a host that does not exist"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, "names a host and port where no database listens"],
  [/^(CONNECT_TIMEOUT|ETIMEDOUT)$/, "names a host that does not answer: is a firewall in the way?"],
  [/^(28P01|28000|08P01)$/, "has a user or password that the database refuses"],
  [/^3D000$/, "names a database that does not exist"],
  [/^42501$/, "names a user without the rights to the tables"],
  [/^53300$/, "leads to a database with too many connections: use a pooler"],
  [
    /CERT|SIGNATURE|ALTNAME|SELF_SIGNED/,
    "leads to a certificate that is not trusted: see sslmode and sslrootcert",
  ],
  [/^(ECONNRESET|EPROTO|ERR_SSL|CONNECTION_CLOSED)/, "leads to a server that breaks off: is sslmode right?"],
];

function faultOf(error: unknown): string {
  if (isPoolerRefusal(error)) return "leads to a pooler: add `?pgbouncer=true` to it";
  const code = sqlStateOf(error) ?? "";
  const [, fault] = FAULTS.find(([pattern]) => pattern.test(code)) ?? [];
  return fault ?? `cannot be used (${code || "unknown error"})`;
}
