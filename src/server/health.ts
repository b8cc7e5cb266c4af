import { z } from "zod";
import { contract } from "@/core/contract";
import { RunSummary } from "@/features/snapshots/schema";
import { coverageOf, remainingScope, runSummary, STALLED_AFTER } from "@/features/snapshots/service";
import type { AppContext } from "./context";

export const Health = z.object({
  status: z.literal("ok"),
  database: z.literal("ok"),
  sample_data: z.boolean().describe("True while the platform is simulated"),
  last_run: RunSummary.nullable().describe("The latest daily run; null before the first"),
  run_overdue: z
    .boolean()
    .describe("True when today's run, due at 06:00 UTC, is missing, stalled or has failures left"),
  coverage: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe("Share of its channels that run read or found unavailable"),
});

export const healthContract = contract({
  method: "GET",
  path: "/api/health",
  id: "getHealth",
  tag: "Service",
  summary: "Whether the service can serve, and how its last daily run went",
  description:
    "Needs no key and counts nothing. 200 whenever the service can serve; a missed run is in the body.",
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
    },
  },
});

/** Whether the service can serve, and how its last daily run went. Fails when the database cannot be reached. */
export async function health({ db, clock, log, platform }: AppContext): Promise<z.input<typeof Health>> {
  const run = await runSummary({ db });
  return {
    status: "ok",
    database: "ok",
    sample_data: platform.name === "sample",
    last_run: run,
    run_overdue: (await remainingScope({ db, clock, log }, STALLED_AFTER)) !== null,
    coverage: run && coverageOf(run),
  };
}
