import { classifyLevel, SCORE_VERSION } from "@/features/growth/score.rules";
import type { Creator, TrackedCreator } from "./schema";

/** The creator of all examples, one of the sample platform. */
export const EXAMPLE_CREATOR: Creator = {
  channel_id: "UCY8vMFsho8bt_uH0G7KX-bg",
  name: "Juniper Fivecrits",
  handle: "@juniperfivecrits",
  url: "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg",
  thumbnail_url: null,
  country: "CA",
  status: "active",
  counts: "known",
  subscribers: 640,
  views: 24_310,
  videos: 18,
  score: 54,
  score_basis: "history",
  score_version: SCORE_VERSION,
  alert_level: classifyLevel(54),
  percentile: null,
  chance_7d: 0.147,
  chance_28d: 0.15,
  expected_7d: { low: 0.6, high: 6.8 },
  expected_28d: { low: 1.9, high: 24.5 },
  reason: "Speeding up, each of the last two weeks faster",
  growth_1d_percent: 1.7,
  growth_7d_percent: 10.7,
};

export const EXAMPLE_TRACKED: TrackedCreator = {
  ...EXAMPLE_CREATOR,
  tracked_since: "2026-11-12T09:14:27.031Z",
  last_snapshot_at: "2026-11-19T06:00:00.374Z",
};
