import { DAY } from "@/core/time";
import type { CAUSE_KINDS } from "@/db/values";
import { computeUsualViews, getAge, isPublished } from "@/features/videos/rules";
import type { ChannelVideo } from "@/platform/port";

export type CauseKind = (typeof CAUSE_KINDS)[number];

/** A video is a likely cause for this long. */
const CAUSE_AGE = 7 * DAY;
/** How many times its usual a video must have to stand out. */
const STANDS_OUT = 3;
/** The share of all unusual views from which one video alone is named. */
const ALONE = 2 / 3;
const MAX_NAMED = 5;

/** A video with what is usual for it. */
export interface MeasuredVideo {
  video: ChannelVideo;
  /** Null without other videos. */
  usualViews: number | null;
  timesUsual: number | null;
}

export interface Cause {
  kind: Exclude<CauseKind, "pending">;
  /** The one with the most unusual views first. */
  videos: MeasuredVideo[];
}

/**
 * Names the videos that a rise likely came from: those of the last 7 days with at least three times the views that a
 * video of this channel usually has at that age, if at least as many people saw them as subscribed. One video alone when
 * it has two thirds of the views beyond the usual.
 * @param videos the channel's newest; null when they could not be read
 * @param gained subscribers gained on the day
 */
export function classifyCause(videos: readonly ChannelVideo[] | null, gained: number, at: Date): Cause {
  if (videos === null) return { kind: "unknown", videos: [] };
  const standing = videos
    .filter((video) => isPublished(video, at) && getAge(video, at) <= CAUSE_AGE)
    .flatMap((video) => {
      const views = video.views ?? 0;
      const measured = measureVideo(video, videos, at);
      const standsOut = views > 0 && (measured.timesUsual ?? STANDS_OUT) >= STANDS_OUT;
      return standsOut ? [{ ...measured, views, unusual: views - (measured.usualViews ?? 0) }] : [];
    })
    .toSorted((one, other) => other.unusual - one.unusual);
  const [first] = standing;
  const seen = standing.reduce((sum, { views }) => sum + views, 0);
  if (!first || seen < gained) return { kind: "no_new_video", videos: [] };
  const unusual = standing.reduce((sum, each) => sum + each.unusual, 0);
  const named = standing.slice(0, first.unusual >= ALONE * unusual ? 1 : MAX_NAMED);
  return {
    kind: named.length === 1 ? "video" : "several",
    videos: named.map(({ video, usualViews, timesUsual }) => ({ video, usualViews, timesUsual })),
  };
}

/** A video beside what is usual for it on its channel. */
export function measureVideo(video: ChannelVideo, all: readonly ChannelVideo[], at: Date): MeasuredVideo {
  const usualViews = computeUsualViews(video, all, at);
  const timesUsual = usualViews === null || video.views === null ? null : video.views / Math.max(1, usualViews);
  return { video, usualViews, timesUsual };
}
