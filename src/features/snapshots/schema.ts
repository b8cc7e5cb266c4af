import { z } from "zod";

/** A daily run in numbers. Channels count once, however many keys track them. */
export const RunSummary = z
  .object({
    day: z.iso.date().describe("UTC day"),
    started_at: z.iso.datetime().describe("When it started, UTC"),
    finished_at: z.iso.datetime().nullable().describe("Null while it is running"),
    planned: z.int().min(0).describe("Channels to read"),
    read: z.int().min(0).describe("Channels read"),
    unavailable: z.int().min(0).describe("Channels the platform does not show"),
    failed: z.int().min(0).describe("Channels that could not be read"),
    alerts: z.int().min(0).describe("Alerts created, of all keys"),
  })
  .meta({ id: "RunSummary" });
export type RunSummary = z.output<typeof RunSummary>;

export const RUN_OVERDUE =
  "True when today's run, due at 06:00 UTC, has not started, or has read under 95% of its channels half an hour after its start";
