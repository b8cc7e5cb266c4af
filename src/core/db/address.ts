import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Options } from "postgres";
import { errorMessage, OperatorError } from "@/core/errors";

export interface DatabaseAddress {
  url: string;
  /** Whether each transaction may get another session. */
  isPooled: boolean;
  prepare: boolean;
  ssl: Options<never>["ssl"];
}

const POOLER_PORTS = ["6432", "6543"];
/** Parameters for other clients. A server refuses them. */
const FOREIGN = ["pgbouncer", "prepare", "channel_binding", "connection_limit", "pool_timeout", "supa"];
const TLS = ["sslmode", "ssl", "sslrootcert"];

/** Reads a connection string, whichever client it is for. @throws OperatorError for its TLS settings */
export function readAddress(connectionString: string): DatabaseAddress {
  const url = new URL(connectionString);
  const { searchParams: given } = url;
  const pooled = given.get("pgbouncer");
  const prepare = given.get("prepare");
  const isPooled = pooled
    ? pooled === "true"
    : POOLER_PORTS.includes(url.port) || /-pooler\b/.test(url.hostname);
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

/** This machine, or a container beside it: its name has no dot. */
function isLocal(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return isIP(bare) ? bare === "::1" || bare.startsWith("127.") : !bare.includes(".");
}
