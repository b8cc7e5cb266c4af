import { z } from "zod";
import { type Day, toDate } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { countKeys } from "@/features/keys/service";
import { countDeliveries, listDayReports } from "@/features/notifications/report.service";
import { listBatchProblems } from "@/features/snapshots/batches.service";
import { listIncidents } from "@/features/snapshots/monitor.service";
import { computeCoverage, countRunSeconds } from "@/features/snapshots/rules";
import type { RunSummary } from "@/features/snapshots/schema";
import { getRunSummary, listRecentRuns } from "@/features/snapshots/service";
import { listRequestsPerDay } from "@/features/usage/service";
import { createPlatform } from "@/server/services";
import {
  type CommandContext,
  createParser,
  createProgram,
  type Output,
  print,
  runProgram,
  withContext,
} from "./command";
import { formatTier } from "./keys/shown";
import { formatMinute, formatTable } from "./table";

const DAYS = 7;

async function printStatus({ day, ...output }: Output & { day?: Day }): Promise<void> {
  if (day !== undefined) {
    const found = await withContext((ctx) => readDay(ctx, day));
    return print(output, found, formatDay(found));
  }
  const state = await withContext(read);
  print(output, state, formatStatus(state));
}

async function read(ctx: CommandContext) {
  const { ledger } = createPlatform(ctx.env, ctx);
  const runs = await listRecentRuns(ctx, DAYS);
  return {
    keys: await countKeys(ctx),
    requests: await listRequestsPerDay(ctx, DAYS),
    runs: runs.map(describeRun),
    deliveries: await countDeliveries(ctx, DAYS),
    platform_units: (await ledger?.listSpentUnits()) ?? null,
  };
}

/** The run of a day, what became of its alerts by key, and what failed. */
async function readDay(ctx: CoreContext, day: Day) {
  const run = await getRunSummary(ctx, day);
  return {
    day,
    run: run && describeRun(run),
    incident: (await listIncidents(ctx, day)).find((incident) => incident.day === day)?.problem ?? null,
    unread: await listBatchProblems(ctx, day),
    deliveries: await listDayReports(ctx, day),
  };
}

function formatDay({ day, run, incident, unread, deliveries }: Awaited<ReturnType<typeof readDay>>): string {
  const problems = unread.map(({ problem, channels }) => [channels, problem ?? "statistics could not be stored"]);
  const rows = deliveries.map(({ key_id, label, destination, outcome, reason, count }) => {
    return [key_id, label, destination, outcome, count, reason ?? ""];
  });
  return [
    `Daily run of ${day}\n${formatTable(RUN_HEAD, run ? [toRunRow(run)] : [])}`,
    ...(incident ? [incident] : []),
    `Channels that were not read\n${formatTable(["channels", "why"], problems)}`,
    `Deliveries by key\n${formatTable(["key", "label", "to", "outcome", "count", "reason"], rows)}`,
  ].join("\n\n");
}

function describeRun(run: RunSummary) {
  return { ...run, coverage: computeCoverage(run), seconds: countRunSeconds(run) };
}

type DescribedRun = ReturnType<typeof describeRun>;

const RUN_HEAD = ["day", "channels", "read", "unavailable", "failed", "alerts", "took"];

function toRunRow({ day, planned, read, unavailable, failed, coverage, alerts, seconds }: DescribedRun) {
  const share = coverage === null ? read : `${read} (${(coverage * 100).toFixed(1)}%)`;
  const took = seconds === null ? "running" : `${seconds.toFixed(1)} s`;
  return [day, planned, share, unavailable, failed, alerts, took];
}

function formatStatus(state: Awaited<ReturnType<typeof read>>): string {
  const keys = state.keys.map(({ tier, active, revoked }) => [formatTier(tier), active, revoked]);
  const requests = state.requests.map(({ day, requests, keys }) => [day, requests, keys]);
  const deliveries = state.deliveries.map(({ destination, status, count }) => [destination, status, count]);
  const units = (state.platform_units ?? []).map(({ bucket, used, limit, exhausted, resets_at }) => {
    const spent = `${used}${exhausted ? " (quota exceeded)" : ""}`;
    return [bucket, spent, limit, formatMinute(toDate(resets_at))];
  });
  const latest = state.runs.find(({ alerts }) => alerts > 0);
  const isEmpty = state.keys.length === 0 && state.runs.length === 0;
  return [
    ...(isEmpty
      ? ["This database is empty. If the service has keys, set its DATA_DIR or DATABASE_URL for this command."]
      : []),
    `Keys\n${formatTable(["tier", "active", "revoked"], keys)}`,
    `Requests, last ${DAYS} days (UTC)\n${formatTable(["day", "requests", "keys"], requests)}`,
    `Latest daily runs\n${formatTable(RUN_HEAD, state.runs.map(toRunRow))}`,
    `Deliveries of alerts, last ${DAYS} days\n${formatTable(["to", "outcome", "deliveries"], deliveries)}`,
    ...(latest ? [`By key, with reasons: npm run status -- --day ${latest.day}`] : []),
    `Platform calls today\n${formatTable(["kind", "used", "of", "resets (UTC)"], units)}`,
  ].join("\n\n");
}

await runProgram(
  createProgram("status", "Show keys, requests, daily runs and deliveries of the last days.")
    .option(
      "--day <day>",
      "show the run of a UTC day, and its deliveries by key with reasons",
      createParser(z.iso.date("must be a day, such as 2026-11-20")),
    )
    .action(printStatus),
);
