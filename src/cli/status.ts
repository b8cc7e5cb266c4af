import { SECOND, toDate } from "@/core/time";
import { countKeys } from "@/features/keys/service";
import { countDeliveries } from "@/features/notifications/mail-events.service";
import { computeCoverage } from "@/features/snapshots/rules";
import type { RunSummary } from "@/features/snapshots/schema";
import { listRecentRuns } from "@/features/snapshots/service";
import { listRequestsPerDay } from "@/features/usage/service";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import type { ServiceContext } from "@/server/context";
import { createServiceContext } from "@/server/services";
import { createProgram, type Output, print, runProgram, withContext } from "./command";
import { formatMinute, formatTable } from "./table";

const DAYS = 7;

async function printStatus(output: Output): Promise<void> {
  const state = await withContext((command) => read(createServiceContext(command.env, command)));
  print(output, state, formatStatus(state));
}

async function read(ctx: ServiceContext) {
  const runs = await listRecentRuns(ctx, DAYS);
  return {
    keys: await countKeys(ctx),
    requests: await listRequestsPerDay(ctx, DAYS),
    runs: runs.map((run) => ({ ...run, coverage: computeCoverage(run), seconds: countSeconds(run) })),
    deliveries: await countDeliveries(ctx, DAYS),
    platform_units: (await ctx.ledger?.listSpentUnits()) ?? null,
  };
}

/** How long a run took; null while it is running. */
function countSeconds({ started_at, finished_at }: RunSummary): number | null {
  if (finished_at === null) return null;
  return (toDate(finished_at).getTime() - toDate(started_at).getTime()) / SECOND;
}

function formatStatus(state: Awaited<ReturnType<typeof read>>): string {
  return [
    formatSection(
      "Keys",
      ["tier", "active", "revoked"],
      state.keys.map(({ tier, active, revoked }) => [
        `${tier} (${TIER_RULES[tier].requestsPerDay}/day)`,
        active,
        revoked,
      ]),
    ),
    formatSection(
      `Requests, last ${DAYS} days (UTC)`,
      ["day", "requests", "keys"],
      state.requests.map(({ day, requests, keys }) => [day, requests, keys]),
    ),
    formatSection(
      "Latest daily runs",
      ["day", "channels", "read", "unavailable", "failed", "coverage", "alerts", "took"],
      state.runs.map(({ day, planned, read, unavailable, failed, coverage, alerts, seconds }) => [
        ...[day, planned, read, unavailable, failed],
        coverage === null ? "–" : `${(coverage * 100).toFixed(1)}%`,
        alerts,
        seconds === null ? "running" : `${seconds.toFixed(1)} s`,
      ]),
    ),
    formatSection(
      `Deliveries of alerts, last ${DAYS} days`,
      ["to", "status", "deliveries"],
      state.deliveries.map(({ destination, status, count }) => [destination, status, count]),
    ),
    formatSection(
      "Platform calls today",
      ["kind", "used", "of", "resets (UTC)"],
      (state.platform_units ?? []).map(({ bucket, used, limit, exhausted, resets_at }) => [
        bucket,
        `${used}${exhausted ? " (quota exceeded)" : ""}`,
        limit,
        formatMinute(toDate(resets_at)),
      ]),
    ),
  ].join("\n\n");
}

function formatSection(title: string, head: string[], rows: (string | number)[][]): string {
  return `${title}\n${formatTable(head, rows)}`;
}

await runProgram(
  createProgram("status", "Show keys, requests, daily runs and deliveries of the last days.").action(printStatus),
);
