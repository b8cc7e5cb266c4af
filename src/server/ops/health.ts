import { z } from "zod";
import { requireWritable } from "@/db/client";
import { UNIT_BUCKETS } from "@/db/values";
import { defineContract } from "@/features/endpoint";
import { isRunOverdue } from "@/features/snapshots/monitor.rules";
import { computeCoverage } from "@/features/snapshots/rules";
import { RUN_OVERDUE, RunSummary } from "@/features/snapshots/schema";
import { getRunSummary } from "@/features/snapshots/service";
import type { AppContext } from "@/server/context";

const PlatformUnits = z
  .object({
    bucket: z.enum(UNIT_BUCKETS).describe("search: searches. general: all other calls"),
    used: z.int().min(0).describe("Calls used today"),
    limit: z.int().min(1).describe("Calls allowed per day"),
    exhausted: z.boolean().describe("True when the platform reports its quota as exceeded"),
    resets_at: z.iso.datetime().describe("When the platform's day ends, UTC"),
  })
  .meta({ id: "PlatformUnits", description: "Calls of one daily quota of the platform" });

const Share = z.number().min(0).max(1);

export const Health = z.object({
  status: z.literal("ok").describe("Always ok"),
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
  example: {
    answer: {
      database: "ok",
      sample_data: false,
      last_run: {
        day: "2026-11-19",
        started_at: "2026-11-19T06:00:00.041Z",
        finished_at: "2026-11-19T06:02:17.390Z",
        planned: 1240,
        read: 1236,
        unavailable: 4,
        failed: 0,
        alerts: 9,
      },
      run_overdue: false,
      coverage: 1,
      platform_units: [
        { bucket: "general", used: 31, limit: 10_000, exhausted: false, resets_at: "2026-11-20T08:00:00.000Z" },
      ],
    },
  },
});

export async function checkHealth(ctx: AppContext): Promise<z.input<typeof Health>> {
  await requireWritable(ctx.db);
  const run = await getRunSummary(ctx);
  return {
    status: "ok",
    database: "ok",
    sample_data: ctx.platform.name === "sample",
    last_run: run,
    run_overdue: isRunOverdue(run, ctx.clock.now()),
    coverage: run && computeCoverage(run),
    platform_units: (await ctx.ledger?.listSpentUnits()) ?? null,
  };
}
