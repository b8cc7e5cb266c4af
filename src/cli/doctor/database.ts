import { sql } from "drizzle-orm";
import type { Env } from "@/core/env";
import { getErrorMessage, isOperatorError } from "@/core/errors";
import { type CheckResult, createFault, createNote, createOk, type Verdict } from "@/core/http/check";
import type { Log } from "@/core/log/log";
import { readAddress } from "@/db/address";
import { connect, type Database, getSqlState, isPoolerRefusal, requireSession } from "@/db/client";
import { listMissingMigrations } from "@/db/migrate";
import { openDatabase } from "@/db/open";

/** Checks that the service and its migrations can use the database. */
export async function checkDatabase(env: Env, log: Log): Promise<CheckResult[]> {
  const { database, serverless } = env;
  if (database.kind === "embedded") return [{ what: "embedded PostgreSQL", ...(await checkEmbedded(env, log)) }];
  const { url, directUrl } = database;
  const found = [await checkAddress("DATABASE_URL", url)];
  if (directUrl !== url) found.push(await checkAddress("DIRECT_DATABASE_URL", directUrl));
  if (found.some(({ state }) => state === "wrong")) return found;
  return [...found, ...(await checkPooler(url, directUrl, serverless))];
}

async function checkEmbedded(env: Env, log: Log): Promise<Verdict> {
  try {
    await (await openDatabase(env, "command", log)).close();
    return createOk("runs, and its schema is up to date");
  } catch (error) {
    return createFault(getErrorMessage(error));
  }
}

async function checkAddress(what: string, url: string): Promise<CheckResult> {
  const verdict = await withConnection(url, async (db) => {
    const missing = await listMissingMigrations(db);
    if (missing.length > 0) return createFault(`lacks ${missing.join(", ")}: run \`npm run migrate\``);
    await requireSession(db);
    return createOk("works, and its schema is up to date");
  }).catch((error) => createFault(isOperatorError(error) ? error.message : `${what} ${describeFault(error)}`));
  return { what, ...verdict };
}

/** Limits that a connection through a pooler cannot set for itself: what their absence means and a good value. */
const POOLED_LIMITS = {
  statement_timeout: ["statements have no time limit", "30s"],
  idle_in_transaction_session_timeout: ["a transaction of a stopped instance may keep its locks", "60s"],
} as const;

async function checkPooler(url: string, directUrl: string, serverless: boolean): Promise<CheckResult[]> {
  const describe = (verdict: Verdict) => ({ what: "pooler", ...verdict });
  const advice = "DATABASE_URL should be a pooler: each instance opens up to 5 connections";
  if (!readAddress(url).isPooled) return serverless ? [describe(createNote(advice))] : [];
  if (readAddress(directUrl).isPooled)
    return [describe(createFault("DIRECT_DATABASE_URL must not be a pooler: migrations cannot use one"))];
  const unset = await withConnection(url, (db) =>
    db.execute<{ name: string }>(sql`select name from pg_settings where setting = '0'`),
  );
  return Object.entries(POOLED_LIMITS)
    .filter(([setting]) => unset.some(({ name }) => name === setting))
    .map(([setting, [without, value]]) =>
      describe(createNote(`${without}: alter role <role of DATABASE_URL> set ${setting} = '${value}'`)),
    );
}

async function withConnection<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = connect(url);
  return await work(db).finally(close);
}

const FAULTS: readonly [RegExp, string][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "names a host that does not exist"],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/, "names a host and port where no database listens"],
  [/^(CONNECT_TIMEOUT|ETIMEDOUT)$/, "names a host that does not answer: check the firewall"],
  [/^(28P01|28000|08P01)$/, "has a wrong user or password"],
  [/^3D000$/, "names a database that does not exist"],
  [/^42501$/, "names a user without permission on the tables"],
  [/^53300$/, "names a database with too many connections: use a pooler"],
  [/CERT|SIGNATURE|ALTNAME|SELF_SIGNED/, "uses an untrusted certificate: check sslmode and sslrootcert"],
  [/^(ECONNRESET|EPROTO|ERR_SSL|CONNECTION_CLOSED)/, "names a server that drops the connection: check sslmode"],
];

function describeFault(error: unknown): string {
  if (isPoolerRefusal(error)) return "leads to a pooler: add `?pgbouncer=true` to it";
  const code = getSqlState(error) ?? "";
  const [, fault] = FAULTS.find(([pattern]) => pattern.test(code)) ?? [];
  return fault ?? `does not work (${code || "unknown error"})`;
}
