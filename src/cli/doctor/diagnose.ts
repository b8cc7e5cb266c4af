import type { Env } from "@/core/env";
import type { Log } from "@/core/log/log";
import type { Clock } from "@/core/time";
import { createAsker } from "./ask";
import { checkDatabase } from "./database";
import type { Finding } from "./finding";
import { checkJobs } from "./inngest";
import { checkQuota } from "./redis";
import { checkEmail } from "./resend";
import { checkAppUrl, checkClock, checkSessionSecret } from "./settings";
import { checkMonitoring } from "./webhook";
import { checkPlatform } from "./youtube";

/** Checks every part that the environment asks for with a harmless call, and what they have in common. Never rejects. */
export async function diagnose(env: Env, { clock, log }: { clock: Clock; log: Log }): Promise<Finding[]> {
  const asker = createAsker(clock);
  const parts = await Promise.all([
    checkDatabase(env, log),
    checkQuota(env, asker),
    checkJobs(env, asker),
    checkPlatform(env, asker),
    checkEmail(env, asker),
    checkMonitoring(env, asker),
    checkAppUrl(env, asker),
  ]);
  return [...parts.flat(), checkSessionSecret(env), checkClock(asker)];
}
