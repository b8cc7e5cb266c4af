import { Command } from "commander";
import { TIER_LIMITS } from "@/core/config/tiers";
import { instant, SECOND } from "@/core/time";
import { countKeys } from "@/features/keys/service";
import { requestsPerDay } from "@/features/keys/usage.service";
import { countDeliveries } from "@/features/notifications/mail-events.service";
import { coverage } from "@/features/snapshots/rules";
import type { RunSummary } from "@/features/snapshots/schema";
import { recentRuns } from "@/features/snapshots/service";
import type { ServiceContext } from "@/server/context";
import { createServiceContext } from "@/server/parts";
import { closeOnSignal, runCommand, withDatabase } from "./command";
import { table } from "./table";

const DAYS = 7;

const program = new Command("status")
  .description("Keys, requests, daily runs and deliveries of the last days. Run as: npm run status")
  .option("--json", "print one JSON object, for machines");

async function status({ json }: { json?: boolean }): Promise<void> {
  const state = await withDatabase(({ env, db, log }) => read(createServiceContext(env, { db, log })));
  process.stdout.write(`${json ? JSON.stringify(state) : asTables(state)}\n`);
}

async function read(ctx: ServiceContext) {
  const runs = await recentRuns(ctx, DAYS);
  return {
    keys: await countKeys(ctx),
    requests: await requestsPerDay(ctx, DAYS),
    runs: runs.map((run) => ({ ...run, coverage: coverage(run), seconds: secondsOf(run) })),
    deliveries: await countDeliveries(ctx, DAYS),
    platform_units: (await ctx.ledger?.spentUnits()) ?? null,
  };
}

/** How long a run took; null while it is under way. */
function secondsOf({ started_at, finished_at }: RunSummary): number | null {
  if (finished_at === null) return null;
  return (instant(finished_at).getTime() - instant(started_at).getTime()) / SECOND;
}

function asTables({
  keys,
  requests,
  runs,
  deliveries,
  platform_units: units,
}: Awaited<ReturnType<typeof read>>): string {
  const days = `the last ${DAYS} days`;
  return [
    section(
      "Keys",
      ["tier", "active", "revoked"],
      keys.map(({ tier, active, revoked }) => [`${tier} (${TIER_LIMITS[tier]}/day)`, active, revoked]),
    ),
    section(
      `Requests counted, ${days} (UTC)`,
      ["day", "requests", "keys"],
      requests.map(({ day, requests, keys }) => [day, requests, keys]),
    ),
    section(
      "Latest daily runs",
      ["day", "channels", "read", "unavailable", "failed", "coverage", "alerts", "took"],
      runs.map((run) => [
        run.day,
        run.planned,
        run.read,
        run.unavailable,
        run.failed,
        run.coverage === null ? "–" : `${(run.coverage * 100).toFixed(1)} %`,
        run.alerts,
        run.seconds === null ? "under way" : `${run.seconds.toFixed(1)} s`,
      ]),
    ),
    section(
      `Deliveries of alerts, ${days}`,
      ["to", "state", "deliveries"],
      deliveries.map(({ destination, status, count }) => [destination, status, count]),
    ),
    section(
      "Platform calls of its present day",
      ["kind", "used", "of", "resets (UTC)"],
      (units ?? []).map(({ bucket, used, limit, exhausted, resets_at }) => [
        bucket,
        `${used}${exhausted ? " (used up, says the platform)" : ""}`,
        limit,
        resets_at.slice(0, 16).replace("T", " "),
      ]),
    ),
  ].join("\n\n");
}

function section(title: string, head: string[], rows: (string | number)[][]): string {
  return `${title}\n${rows.length > 0 ? table(head, rows) : "none"}`;
}

closeOnSignal();
await runCommand(async () => {
  program.parse();
  await status(program.opts());
});
