import { z } from "zod";
import type { Day } from "@/core/time";
import type { Measure, PlatformEvent } from "@/platform/youtube/events";
import { CHANNEL_ID } from "./addresses.rules";
import { MAX_COMPARED } from "./rules";
import type { HistorySnapshot } from "./schema";

export type { Measure };

export const ChartInput = z.object({
  compared: z
    .array(z.string().regex(CHANNEL_ID, "must be a channel id"))
    .max(MAX_COMPARED)
    .default([])
    .describe("Channel ids of tracked creators; others are left out of the answer"),
});

export interface ComparedCreator {
  channel_id: string;
  name: string;
  handle: string | null;
  /** Oldest first, from the day this key began tracking it. */
  history: HistorySnapshot[];
}

/** What a chart shows besides the creator's snapshots. */
export interface ChartAnswer {
  /** In the order of the request. */
  compared: ComparedCreator[];
  events: readonly PlatformEvent[];
  /** Whether the numbers are invented. */
  is_sample: boolean;
  /** UTC days of daily runs, oldest first. */
  run_days: Day[];
}
