import { z } from "zod";
import { MEASURES } from "@/platform/youtube/events";
import { CHANNEL_ID } from "./addresses.rules";
import { MAX_COMPARED } from "./rules";
import { HistorySnapshot } from "./schema";

export const ChartInput = z.object({
  compared: z
    .array(z.string().regex(CHANNEL_ID, "must be a channel id"))
    .max(MAX_COMPARED)
    .default([])
    .describe("Channel ids of tracked creators; others are left out of the answer"),
});

export const ComparedCreator = z.object({
  channel_id: z.string(),
  name: z.string(),
  handle: z.string().nullable(),
  history: z.array(HistorySnapshot).describe("Oldest first, from the day this key began tracking it"),
});
export type ComparedCreator = z.output<typeof ComparedCreator>;

export const PlatformEvent = z.object({
  from: z.iso.date(),
  to: z.iso.date().describe("The last day"),
  measures: z.array(z.enum(MEASURES)).readonly().describe("The counts that it changed"),
  label: z.string(),
  text: z.string(),
});
export type PlatformEvent = z.output<typeof PlatformEvent>;
export type Measure = PlatformEvent["measures"][number];

/** What a chart shows besides the creator's snapshots. */
export const ChartAnswer = z.object({
  compared: z.array(ComparedCreator).describe("In the order of the request"),
  events: z.array(PlatformEvent).readonly(),
  is_sample: z.boolean().describe("Whether the numbers are invented"),
  run_days: z.array(z.iso.date()).describe("UTC days of daily runs, oldest first"),
});
export type ChartAnswer = z.output<typeof ChartAnswer>;
