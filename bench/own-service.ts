import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLog } from "@/core/log/log";
import { systemClock } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import { openEmbedded } from "@/db/embedded/server";
import { issueKey } from "@/features/keys/service";
import type { Order } from "@/test/served-process";

/** The service in a process and a folder of its own, on sample data, for as long as it is tried. */
export interface OwnService {
  base: string;
  keys: string[];
  db: DatabaseConnection["db"];
  child: ChildProcess;
  order(what: Order): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts it, with so many keys of the largest tier. @param at its instant, ISO 8601 */
export async function startOwnService(keyCount: number, at: string): Promise<OwnService> {
  const folder = mkdtempSync(path.join(tmpdir(), "creator-growth-tried-"));
  const log = createLog({ level: "silent" });
  const args = ["--expose-gc", "--import", "tsx", "src/test/served-process.ts", at];
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: "production", APP_URL: "http://growth.test", DATA_DIR: folder, LOG_LEVEL: "error" },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [port] = await once(child, "message");
  const server = await openEmbedded(folder, "command", log);
  const { db, close } = connect(server.url);
  const keys: string[] = [];
  for (let made = 0; made < keyCount; made++) {
    const { secret } = await issueKey(
      { db, log: log, clock: systemClock },
      { tier: "pro", label: `Key ${made}` },
    );
    keys.push(secret);
  }
  return {
    base: `http://127.0.0.1:${port}`,
    keys,
    db,
    child,
    async order(what) {
      child.send(what);
      const [answer] = await once(child, "message");
      return answer.told;
    },
    async stop() {
      child.kill("SIGKILL");
      await once(child, "exit");
      await close();
      await server.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The value below which the given share of all lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
