import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import postgres, { type Options } from "postgres";
import { getErrorMessage, OperatorError } from "@/core/errors";

type Ssl = Options<never>["ssl"];

const POOLER_PORTS = ["6432", "6543"];
/** Parameters for other clients. A server refuses them. */
const FOREIGN = ["pgbouncer", "prepare", "channel_binding", "connection_limit", "pool_timeout", "supa"];
const TLS = ["sslmode", "ssl", "sslrootcert"];

/** Reads a connection string, whichever client it is for. @throws OperatorError for its TLS settings */
export function readAddress(connectionString: string) {
  const url = new URL(connectionString);
  const { searchParams: given } = url;
  const pooled = given.get("pgbouncer");
  const prepare = given.get("prepare");
  const isPooled = pooled ? pooled === "true" : POOLER_PORTS.includes(url.port) || /-pooler\b/.test(url.hostname);
  const mode = given.get("sslmode") ?? given.get("ssl") ?? (isLocal(url.hostname) ? "disable" : "require");
  const address = {
    /** Whether each transaction may get another session. */
    isPooled,
    prepare: prepare ? prepare === "true" : !isPooled,
    ssl: readSsl(mode, given.get("sslrootcert")),
  };
  for (const name of [...FOREIGN, ...TLS]) given.delete(name);
  return { url: url.href, ...address };
}

/** Runs work on a dedicated connection, outside the pool. */
export async function withConnection<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const { url: address, ssl, prepare } = readAddress(url);
  const client = postgres(address, { max: 1, ssl, prepare, connect_timeout: 10, onnotice: () => {} });
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 5 });
  }
}

const MODES: Record<string, Ssl> = {
  disable: false,
  false: false,
  allow: "prefer",
  prefer: "prefer",
  require: "require",
  "no-verify": "require",
  true: "require",
};

function readSsl(mode: string, rootCert: string | null): Ssl {
  if (mode === "verify-full") return { ...readAuthority(rootCert), rejectUnauthorized: true };
  if (mode === "verify-ca")
    return { ...readAuthority(rootCert), rejectUnauthorized: true, checkServerIdentity: () => undefined };
  if (Object.hasOwn(MODES, mode)) return MODES[mode];
  throw new OperatorError(
    "DATABASE_URL has an unknown sslmode; use disable, prefer, require, verify-ca or verify-full",
  );
}

function readAuthority(rootCert: string | null): { ca?: string } {
  if (!rootCert || rootCert === "system") return {};
  try {
    return { ca: readFileSync(rootCert, "utf8") };
  } catch (error) {
    throw new OperatorError(`DATABASE_URL names an sslrootcert that cannot be read: ${getErrorMessage(error)}`);
  }
}

/** This machine, or a container beside it: its name has no dot. */
function isLocal(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return isIP(bare) ? bare === "::1" || bare.startsWith("127.") : !bare.includes(".");
}
