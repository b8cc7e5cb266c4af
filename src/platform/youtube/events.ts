import type { Day } from "@/core/time";

/** The counts of a channel that a chart shows. */
export type Measure = "subscribers" | "views";

/** A platform change to all channels' counts: a step on that day is not growth. */
export interface PlatformEvent {
  /** First and last UTC day. */
  from: Day;
  to: Day;
  measures: readonly Measure[];
  /** In a few words, for a label. */
  label: string;
  /** As a sentence. */
  text: string;
}

/** What YouTube announced itself, oldest first. An event without a published day does not belong here. */
export const YOUTUBE_EVENTS: readonly PlatformEvent[] = [
  {
    from: "2018-12-13",
    to: "2018-12-14",
    measures: ["subscribers"],
    label: "spam accounts removed",
    text: "YouTube removed spam accounts from subscriber counts.",
  },
  {
    from: "2025-03-31",
    to: "2025-03-31",
    measures: ["views"],
    label: "Shorts views redefined",
    text: "YouTube began to count a view each time a Short starts to play or replays.",
  },
  {
    from: "2026-08-24",
    to: "2026-08-24",
    measures: ["views"],
    label: "views redefined",
    text: "YouTube began to count a view of any video as soon as it starts to play.",
  },
];
