import { z } from "zod";
import { coverage } from "@/features/snapshots/rules";
import { RunSummary } from "@/features/snapshots/schema";
import { remainingScope, runSummary, STALLED_AFTER } from "@/features/snapshots/service";
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

/** Whether the service can serve, and how its last daily run went. Fails when the database cannot be reached. */
export async function health({ db, clock, log, platform }: AppContext): Promise<z.input<typeof Health>> {
  const run = await runSummary({ db });
  return {
    status: "ok",
    database: "ok",
    sample_data: platform.name === "sample",
    last_run: run,
    run_overdue: (await remainingScope({ db, clock, log }, STALLED_AFTER)) !== null,
    coverage: run && coverage(run),
  };
}
