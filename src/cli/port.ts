import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Log } from "@/core/log/log";

const locate = (dataDir: string) => path.join(dataDir, "port");

/** Keeps the port of the running service, which its environment alone knows, for commands. */
export function storePort(dataDir: string, port: number, log: Log): void {
  try {
    writeFileSync(locate(dataDir), `${port}\n`);
  } catch {
    // A hosted service may have no data folder.
    log.debug("the port could not be stored in DATA_DIR");
  }
}

/** The port of the service that runs on a data folder; null when none does. */
export function readPort(dataDir: string): number | null {
  try {
    return Number(readFileSync(locate(dataDir), "utf8")) || null;
  } catch {
    return null;
  }
}

export function forgetPort(dataDir: string): void {
  rmSync(locate(dataDir), { force: true });
}
