import type { Env } from "@/core/env";
import type { Log } from "@/core/log/log";
import type { Clock } from "@/core/time";
import { createChecker, type Finding } from "./check";
import { checkDatabase } from "./database";
import { emailChecks, jobChecks, monitoringCheck, platformCheck, quotaCheck } from "./services";
import { addressCheck, checkClock, checkSessionSecret } from "./settings";

/** Checks every configured service with a harmless call, then the settings they share. Never rejects. */
export async function diagnose(env: Env, { clock, log }: { clock: Clock; log: Log }): Promise<Finding[]> {
  const leads: number[] = [];
  const run = createChecker(clock, leads);
  const checks = [
    quotaCheck(env),
    ...jobChecks(env),
    platformCheck(env),
    ...emailChecks(env),
    monitoringCheck(env),
    addressCheck(env),
  ];
  const [database, ...found] = await Promise.all([
    checkDatabase(env, log),
    ...checks.map((check) => ("says" in check ? check : run(check))),
  ]);
  return [...database, ...found, checkSessionSecret(env), checkClock(leads)];
}
