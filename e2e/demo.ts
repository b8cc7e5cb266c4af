import { rmSync } from "node:fs";
import path from "node:path";
import { type BrowserContext, type BrowserContextOptions, chromium } from "@playwright/test";
import type { Database } from "@/db/client";
import { openDatabase } from "@/db/open";
import { openDemoKey } from "../src/cli/demo";
import { makeDemoData } from "../src/cli/demo-data";
import { readEnv } from "../src/core/env";
import { createLog } from "../src/core/log/log";
import { findChromium } from "./chromium";
import { buildProductEnv, createDataDirPath, getBaseUrl, removeDataDir, signIn, startProduct } from "./product";

/** The built product with a month of sample data, and a browser. */
export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Adds to the data before the product starts. */
export type Prepare = (db: Database) => Promise<void>;

/** @param port a free one */
export async function startDemo(port: number, prepare: Prepare = async () => {}) {
  const dataDir = createDataDirPath();
  const env = readEnv(buildProductEnv(dataDir));
  const log = createLog({ level: "silent" });
  const database = await openDatabase(env, "command", log);
  const fill = async () => {
    const key = await openDemoKey(env, { db: database.db, log });
    await makeDemoData(env, { db: database.db, log }, key);
    await prepare(database.db);
    return key.secret;
  };
  const key = await fill().finally(database.close);
  // Production revokes the demo key.
  rmSync(path.join(dataDir, "demo-key"));
  const product = await startProduct({ dataDir, port });
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ["--disable-dev-shm-usage", "--disable-gpu"],
  });
  return {
    browser,
    key,
    /** A separate context, signed in with the demo key. */
    async signedIn(options?: BrowserContextOptions): Promise<BrowserContext> {
      const context = await browser.newContext({ baseURL: getBaseUrl(port), ...options });
      await signIn(context, key);
      return context;
    },
    async stop(): Promise<void> {
      await browser.close();
      await product.stop();
      await removeDataDir(dataDir);
    },
  };
}
