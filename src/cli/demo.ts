import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CoreContext } from "@/core/context";
import type { Env } from "@/core/env";
import { AppError } from "@/core/errors";
import { systemClock } from "@/core/time";
import { authenticate, issueKey } from "@/features/keys/service";

/** Prints a key that works and what to do with it. Development only. */
export async function announceDemo(env: Env, { db, log }: Pick<CoreContext, "db" | "log">): Promise<void> {
  const key = await demoKey(env, { db, log, clock: systemClock });
  const curl = (rest: string) => `  curl -H "X-API-Key: ${key}" ${rest}`;
  const lines = [
    "",
    `Creator Growth Tracking Service – ${env.appUrl} – sample data`,
    "",
    `Demo API key (tier pro, kept in ${path.relative(process.cwd(), demoKeyFile(env)) || "."}):`,
    `  ${key}`,
    "",
    "Try it:",
    curl(`"${env.appUrl}/api/discover?niche=gaming&limit=3"`),
    curl(
      `-H "Content-Type: application/json" -d '{"channel_id":"@juniperfivecrits"}' "${env.appUrl}/api/track"`,
    ),
    curl(`"${env.appUrl}/api/track"`),
    curl(`"${env.appUrl}/api/alerts"`),
    curl(`"${env.appUrl}/api/usage"`),
    "",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** The key of earlier starts while it still stands, else a new one. */
async function demoKey(env: Env, ctx: CoreContext): Promise<string> {
  const file = demoKeyFile(env);
  const kept = await readFile(file, "utf8").then(
    (text) => text.trim(),
    () => "",
  );
  if (await stands(ctx, kept)) return kept;
  const { secret } = await issueKey(ctx, { tier: "pro", label: "Demo" });
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  return secret;
}

async function stands(ctx: CoreContext, key: string): Promise<boolean> {
  return authenticate(ctx, key).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.code === "unauthorized") return false;
      throw error;
    },
  );
}

function demoKeyFile(env: Env): string {
  return path.join(env.dataDir, "demo-key");
}
