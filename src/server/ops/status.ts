import { z } from "zod";
import { addDays, countSecondsBetween, toDate, toUtcDay } from "@/core/time";
import { requireWritable } from "@/db/client";
import { UNIT_BUCKETS } from "@/db/values";
import { defineContract } from "@/features/endpoint";
import { listIncidents } from "@/features/snapshots/monitor.service";
import { computeCoverage, countRunSeconds, getNextRunTime, getRunTime, isRunOverdue } from "@/features/snapshots/rules";
import { RUN_OVERDUE, RunSummary } from "@/features/snapshots/schema";
import { getRunSummary, listRecentRuns } from "@/features/snapshots/service";
import type { AppContext } from "@/server/context";
import examples from "./examples.json" with { type: "json" };

const Share = z.number().min(0).max(1);

const PlatformUnits = z
  .object({
    bucket: z.enum(UNIT_BUCKETS).describe("search: searches. general: all other calls"),
    used: z.int().min(0).describe("Calls used today"),
    limit: z.int().min(1).describe("Calls allowed per day"),
    exhausted: z.boolean().describe("True when the platform reports its quota as exceeded"),
    resets_at: z.iso.datetime().describe("When the platform's day ends, UTC"),
  })
  .meta({ id: "PlatformUnits", description: "Calls of one daily quota of the platform" });

const Health = z.object({
  database: z.literal("ok").describe("Always ok: without the database the answer is 503"),
  sample_data: z.boolean().describe("True when the platform is simulated"),
  last_run: RunSummary.nullable().describe("The latest daily run; null before the first"),
  run_overdue: z.boolean().describe(RUN_OVERDUE),
  coverage: Share.nullable().describe("Share of channels that the run read or found unavailable"),
  platform_units: z
    .array(PlatformUnits)
    .nullable()
    .describe("Calls used of the platform's daily quota; null without a quota"),
});

export const healthContract = defineContract({
  method: "GET",
  path: "/api/health",
  id: "getHealth",
  tag: "Service",
  summary: "Get the state of the service and its last daily run",
  description:
    "Needs no key and counts no request. 200 whenever the service can serve: `run_overdue` reports a missed run.",
  open: true,
  answer: Health,
  example: examples.health,
});

export async function checkHealth(ctx: AppContext): Promise<z.input<typeof Health>> {
  await requireWritable(ctx.db);
  const run = await getRunSummary(ctx);
  return {
    database: "ok",
    sample_data: ctx.platform.name === "sample",
    last_run: run,
    run_overdue: isRunOverdue(run, ctx.clock.now()),
    coverage: run && computeCoverage(run),
    platform_units: (await ctx.ledger?.listSpentUnits()) ?? null,
  };
}

const STATUS_DAYS = 30;

const Run = z
  .object({
    day: z.iso.date().describe("UTC day"),
    started_at: z.iso.datetime().describe("When it started, UTC"),
    finished_at: z.iso.datetime().nullable().describe("When it finished, UTC; null while it is running"),
    delay_seconds: z.int().min(0).describe("Seconds from 06:00 UTC to its start"),
    duration_seconds: z.number().min(0).nullable().describe("Seconds from start to finish; null while it is running"),
    coverage: Share.nullable().describe("Share of channels that it read or found unavailable; null without channels"),
  })
  .meta({ id: "Run", description: "A daily run" });
type Run = z.output<typeof Run>;

const Incident = z
  .object({
    day: z.iso.date().describe("UTC day of the daily run"),
    problem: z.string().describe("What the run monitor found"),
    noted_at: z.iso.datetime().describe("When it was found, UTC"),
  })
  .meta({ id: "Incident", description: "A daily run that was missed, late, incomplete or failed" });

const ServiceStatus = z.object({
  run_overdue: z.boolean().describe(RUN_OVERDUE),
  next_run_at: z.iso.datetime().describe("When the next daily run is due, UTC"),
  runs: z.array(Run).describe("Daily runs of the last 30 days, newest first"),
  incidents: z.array(Incident).describe("Incidents of the last 30 days, newest first"),
});
export type ServiceStatus = z.output<typeof ServiceStatus>;

export const statusContract = defineContract({
  method: "GET",
  path: "/api/status",
  id: "getStatus",
  tag: "Service",
  summary: "Get the daily runs and incidents of the last 30 days",
  description:
    "Needs no key and counts no request. The page `/status` shows the same, and `/api/status/badge.svg` is a badge for your own pages.",
  open: true,
  answer: ServiceStatus,
  example: examples.status,
});

/** The daily runs and incidents of the last 30 days. */
export async function getServiceStatus(ctx: AppContext): Promise<ServiceStatus> {
  const now = ctx.clock.now();
  const since = addDays(toUtcDay(now), 1 - STATUS_DAYS);
  const runs = await listRecentRuns(ctx, STATUS_DAYS);
  return {
    run_overdue: isRunOverdue(runs[0] ?? null, now),
    next_run_at: getNextRunTime(now).toISOString(),
    runs: runs.filter(({ day }) => day >= since).map(toPublicRun),
    incidents: await listIncidents(ctx, since),
  };
}

function toPublicRun(run: RunSummary): Run {
  const { day, started_at, finished_at } = run;
  return {
    day,
    started_at,
    finished_at,
    delay_seconds: Math.max(0, Math.floor(countSecondsBetween(getRunTime(day), toDate(started_at)))),
    duration_seconds: countRunSeconds(run),
    coverage: computeCoverage(run),
  };
}
