import { z } from "zod";
import events from "./events.json" with { type: "json" };

/** The counts of a channel that a chart shows. */
const Measure = z.enum(["subscribers", "views"]);
export type Measure = z.output<typeof Measure>;

/** A platform change to all channels' counts: a step on that day is not growth. */
const PlatformEvent = z.object({
  /** First and last UTC day. */
  from: z.iso.date(),
  to: z.iso.date(),
  measures: z.array(Measure),
  /** In a few words, for a label. */
  label: z.string(),
  /** As a sentence. */
  text: z.string(),
});
export type PlatformEvent = z.output<typeof PlatformEvent>;

/** What YouTube announced itself, oldest first. An event without a published day does not belong here. */
export const YOUTUBE_EVENTS: readonly PlatformEvent[] = z.array(PlatformEvent).parse(events);
