import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Options } from "postgres";
import { errorMessage, OperatorError } from "@/core/errors";

/** How a connection string is to be understood, whichever client its provider wrote it for. */
export interface DatabaseAddress {
  /** The connection string without what this module has read from it. */
  url: string;
  /** Whether a pooler hands out another session for each transaction, so that nothing may be kept in one. */
  isPooled: boolean;
  /** Whether statements may be prepared. */
  prepare: boolean;
  ssl: Options<never>["ssl"];
}

/** Parameters for other clients, which a server would refuse. */
const FOREIGN = ["pgbouncer", "prepare", "channel_binding", "connection_limit", "pool_timeout", "supa"];
const TLS = ["sslmode", "ssl", "sslrootcert"];

/**
 * Reads a connection string. A transaction pooler is told by `pgbouncer=true` or `=false`, else by port 6543 or a host
 * name with `-pooler`; statements are prepared without one, or as `prepare=true` or `=false` says. TLS follows
 * `sslmode`; without it, a connection that leaves the machine is encrypted.
 * @throws OperatorError when `sslmode` is none of libpq's words or `sslrootcert` cannot be read
 */
export function readAddress(connectionString: string): DatabaseAddress {
  const url = new URL(connectionString);
  const { searchParams: given } = url;
  const pooled = given.get("pgbouncer");
  const prepare = given.get("prepare");
  const isPooled = pooled ? pooled === "true" : url.port === "6543" || /-pooler\b/.test(url.hostname);
  const address = {
    isPooled,
    prepare: prepare ? prepare === "true" : !isPooled,
    ssl: readSsl(given.get("sslmode") ?? given.get("ssl"), given.get("sslrootcert"), url.hostname),
  };
  for (const name of [...FOREIGN, ...TLS]) given.delete(name);
  return { url: url.href, ...address };
}

function readSsl(mode: string | null, rootCert: string | null, host: string): DatabaseAddress["ssl"] {
  switch (mode ?? (isLocal(host) ? "disable" : "require")) {
    case "disable":
    case "false":
      return false;
    case "allow":
    case "prefer":
      return "prefer";
    case "require":
    case "no-verify":
    case "true":
      return "require";
    case "verify-ca":
      return { ...authority(rootCert), rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case "verify-full":
      return { ...authority(rootCert), rejectUnauthorized: true };
    default:
      throw new OperatorError(
        "DATABASE_URL has an unknown sslmode; use disable, prefer, require, verify-ca or verify-full",
      );
  }
}

function authority(rootCert: string | null): { ca?: string } {
  if (!rootCert || rootCert === "system") return {};
  try {
    return { ca: readFileSync(rootCert, "utf8") };
  } catch (error) {
    throw new OperatorError(`DATABASE_URL names an sslrootcert that cannot be read: ${errorMessage(error)}`);
  }
}

/** This machine, or a container beside it, whose name has no dot. */
function isLocal(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return isIP(bare) ? bare === "::1" || bare.startsWith("127.") : !bare.includes(".");
}
