import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Env } from "@/core/env";
import { isUnauthorized } from "@/core/errors";
import { addDays, type Day, HOUR, ManualClock, startOfDay, systemClock, toDate, toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import type { Key } from "@/features/keys/schema";
import { authenticate, issueKey, restoreKey, revokeKey } from "@/features/keys/service";
import { getDemoDayFile } from "@/server/context";

/** 30 days of growth need 31 snapshots. */
export const DEMO_DAYS = 31;

export type DemoDatabase = Pick<CoreContext, "db" | "log">;
export type DemoKey = Key & { secret: string };

/** The demo's key: that of an earlier start, also where production revoked it, or a new one. */
export async function openDemoKey(env: Env, database: DemoDatabase): Promise<DemoKey> {
  if (!existsSync(getDemoDayFile(env))) await writeFile(getDemoDayFile(env), `${findLastRunDay()}\n`);
  const ctx = { ...database, clock: new ManualClock(getDemoStart()) };
  const stored = await readStoredKey(env);
  await restoreKey(ctx, stored);
  const known = await findKey(ctx, stored);
  if (known) return { ...known, secret: stored };
  const { record, secret } = await issueKey(ctx, { tier: "pro", label: "Demo" });
  await writeFile(getDemoFiles(env).key, `${secret}\n`, { mode: 0o600 });
  return { id: record.id, tier: record.tier, secret };
}

/** Whether an earlier start has made the demo's data. */
export function hasDemoData(env: Env): boolean {
  return existsSync(getDemoFiles(env).done);
}

/** Revokes the demo key, which only development may have. Its file stays for the next `npm run dev`. */
export async function retireDemo(env: Env, ctx: CoreContext): Promise<void> {
  const key = await findKey(ctx, await readStoredKey(env));
  if (!key) return;
  await revokeKey(ctx, key.id);
  const { key: file } = getDemoFiles(env);
  ctx.log.warn({ keyId: key.id, file }, "revoked the demo key, which `npm run dev` makes valid again");
}

/** The key and how to use it. */
export function describeDemo({ appUrl, email, hasSandbox }: Env, key: string): string {
  const outbox = email.kind === "outbox" ? `  Sent emails  ${appUrl}/outbox\n` : "";
  const sandbox = hasSandbox ? `  Sandbox      ${appUrl}/docs/sandbox (a public key, no account)\n` : "";
  return `
  Console      ${appUrl}
  Demo key     ${key}
  Sign in      ${appUrl}/sign-in with the demo key
  API docs     ${appUrl}/docs
${sandbox}${outbox}
Try it:
  curl -H "X-API-Key: ${key}" "${appUrl}/api/discover?niche=gaming&limit=3"
  curl -H "X-API-Key: ${key}" "${appUrl}/api/alerts?limit=5"

Ctrl-C stops the service. The sample data stays for the next start.`;
}

/** The day of the latest daily run that is due, at 06:00 UTC. */
function findLastRunDay(): Day {
  return toUtcDay(toDate(systemClock.now().getTime() - 6 * HOUR));
}

/** When the demo's key began to track. */
export function getDemoStart(): Date {
  return startOfDay(addDays(toUtcDay(systemClock.now()), -DEMO_DAYS));
}

async function findKey(ctx: CoreContext, secret: string): Promise<Key | null> {
  return authenticate(ctx, secret).catch((error) => {
    if (!isUnauthorized(error)) throw error;
    return null;
  });
}

/** The key of an earlier start; empty when there was none. */
async function readStoredKey(env: Env): Promise<string> {
  return (await readFile(getDemoFiles(env).key, "utf8").catch(() => "")).trim();
}

export function getDemoFiles({ dataDir }: Env) {
  return { key: path.join(dataDir, "demo-key"), done: path.join(dataDir, "demo-done") };
}
