import { SECOND, toDate } from "@/core/time";
import { countKeys } from "@/features/keys/service";
import { countDeliveries } from "@/features/notifications/mail-events.service";
import { computeCoverage } from "@/features/snapshots/rules";
import type { RunSummary } from "@/features/snapshots/schema";
import { listRecentRuns } from "@/features/snapshots/service";
import { listRequestsPerDay } from "@/features/usage/service";
import type { ServiceContext } from "@/server/context";
import { createServiceContext } from "@/server/services";
import { createProgram, type Output, print, runProgram, withContext } from "./command";
import { formatTier } from "./keys/shown";
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
  const keys = state.keys.map(({ tier, active, revoked }) => [formatTier(tier), active, revoked]);
  const requests = state.requests.map(({ day, requests, keys }) => [day, requests, keys]);
  const runs = state.runs.map(({ day, planned, read, unavailable, failed, coverage, alerts, seconds }) => {
    const share = coverage === null ? "–" : `${(coverage * 100).toFixed(1)}%`;
    const took = seconds === null ? "running" : `${seconds.toFixed(1)} s`;
    return [day, planned, read, unavailable, failed, share, alerts, took];
  });
  const deliveries = state.deliveries.map(({ destination, status, count }) => [destination, status, count]);
  const units = (state.platform_units ?? []).map(({ bucket, used, limit, exhausted, resets_at }) => {
    const spent = `${used}${exhausted ? " (quota exceeded)" : ""}`;
    return [bucket, spent, limit, formatMinute(toDate(resets_at))];
  });
  const runHead = ["day", "channels", "read", "unavailable", "failed", "coverage", "alerts", "took"];
  return [
    `Keys\n${formatTable(["tier", "active", "revoked"], keys)}`,
    `Requests, last ${DAYS} days (UTC)\n${formatTable(["day", "requests", "keys"], requests)}`,
    `Latest daily runs\n${formatTable(runHead, runs)}`,
    `Deliveries of alerts, last ${DAYS} days\n${formatTable(["to", "status", "deliveries"], deliveries)}`,
    `Platform calls today\n${formatTable(["kind", "used", "of", "resets (UTC)"], units)}`,
  ].join("\n\n");
}

await runProgram(
  createProgram("status", "Show keys, requests, daily runs and deliveries of the last days.").action(printStatus),
);
