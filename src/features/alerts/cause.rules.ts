import { sum } from "d3-array";
import { formatShortCount } from "@/core/format";
import { DAY, toDate } from "@/core/time";
import type { alertCauses } from "@/db/schema";
import type { CAUSE_KINDS, CAUSE_PROBLEMS } from "@/db/values";
import {
  formatAge,
  formatTimes,
  getAge,
  isPublished,
  measureVideo,
  toPlainTitle,
  toVideoUrl,
} from "@/features/videos/rules";
import type { ChannelVideo } from "@/platform/port";
import type { AlertCause, CauseVideo } from "./schema";

export type CauseKind = (typeof CAUSE_KINDS)[number];

export type CauseProblem = (typeof CAUSE_PROBLEMS)[number];

/** A video is a likely cause for this long. */
const CAUSE_AGE = 7 * DAY;
/** How many times its usual a video must have to stand out. */
const STANDS_OUT = 3;
/** The share of all unusual views from which one video alone is named. */
const ALONE = 2 / 3;
const MAX_NAMED = 5;

/**
 * Names the videos that a rise likely came from: those of the last 7 days with at least three times the views that a
 * video of this channel usually has at that age, if at least as many people saw them as subscribed. One video alone
 * when it has two thirds of the views beyond the usual.
 * @param videos the channel's newest; null when they could not be read
 * @param gained subscribers gained on the day
 * @returns the videos with the most unusual views first
 */
export function classifyCause(videos: readonly ChannelVideo[] | null, gained: number, at: Date) {
  if (videos === null) return { kind: "unknown" as const, videos: [] };
  const outliers = videos
    .filter((video) => isPublished(video, at) && getAge(video, at) <= CAUSE_AGE)
    .flatMap((video) => {
      const views = video.views ?? 0;
      const measured = measureVideo(video, videos, at);
      const standsOut = views > 0 && (measured.timesUsual ?? STANDS_OUT) >= STANDS_OUT;
      return standsOut ? [{ ...measured, views, unusual: views - (measured.usualViews ?? 0) }] : [];
    })
    .toSorted((one, other) => other.unusual - one.unusual);
  const [first] = outliers;
  if (!first || sum(outliers, ({ views }) => views) < gained) return { kind: "no_new_video" as const, videos: [] };
  const isAlone = first.unusual >= ALONE * sum(outliers, ({ unusual }) => unusual);
  const named = outliers.slice(0, isAlone ? 1 : MAX_NAMED);
  return {
    kind: named.length === 1 ? ("video" as const) : ("several" as const),
    videos: named.map(({ video, usualViews, timesUsual }) => ({ video, usualViews, timesUsual })),
  };
}

/** A cause as it is stored: of its videos only the ids stay for good. */
export type StoredCause = Pick<typeof alertCauses.$inferSelect, "kind" | "problem" | "videos"> & {
  /** ISO 8601. */
  read_at: string | null;
};

/** A cause as the API answers it. @param stored null where the videos were never to be read */
export function toAlertCause(stored: StoredCause | null): AlertCause {
  const cause = stored ?? { kind: "unknown", problem: "too_late", videos: [], read_at: null };
  const videos = cause.videos.map((video) => ({ ...DELETED, ...video, url: toVideoUrl(video.video_id) }));
  return { kind: cause.kind, text: formatCause({ ...cause, videos }), read_at: cause.read_at, videos };
}

const DELETED = {
  title: null,
  thumbnail_url: null,
  published_at: null,
  views: null,
  usual_views: null,
  times_usual: null,
  is_short: null,
};

const PROBLEMS: Readonly<Record<CauseProblem, string>> = {
  no_answer: "The platform did not answer when the videos were read.",
  out_of_units: "The day's calls to the platform for videos were used up.",
  no_videos_known: "This platform has no videos.",
  too_late: "The videos were not read in time.",
};

/** The sentence of a cause. It says what was seen, and never more than that it is likely. */
function formatCause({ kind, problem, videos, read_at }: Omit<AlertCause, "text"> & Pick<StoredCause, "problem">) {
  if (kind === "pending") return "The channel's newest videos are not read yet.";
  if (kind === "no_new_video") return "No new video stands out. It may come from elsewhere or from an older video.";
  const [first] = videos;
  if (kind === "unknown" || !first) return `Cause unknown. ${PROBLEMS[problem ?? "no_answer"]}`;
  if (videos.some(({ title }) => title === null)) {
    const which = videos.length === 1 ? "a video" : `${videos.length} videos`;
    return `Likely from ${which} whose details were deleted after 30 days.`;
  }
  if (kind === "several") return formatSeveral(videos);
  return `Likely from “${toPlainTitle(first.title ?? "")}”: ${formatVideoFacts(first, read_at)}.`;
}

/** `1.20M views in 31 hours, 24 times its usual`; empty once the details are deleted. */
export function formatVideoFacts({ title, views, published_at, times_usual }: CauseVideo, readAt: string | null) {
  if (title === null) return "";
  const age =
    published_at && readAt ? ` in ${formatAge(toDate(readAt).getTime() - toDate(published_at).getTime())}` : "";
  const times = times_usual === null ? "" : `, ${formatTimes(times_usual)} its usual`;
  return `${formatShortCount(views ?? 0)} views${age}${times}`;
}

function formatSeveral(videos: readonly CauseVideo[]): string {
  const times = videos.flatMap(({ times_usual }) => times_usual ?? []);
  const [least, most] = [Math.min(...times), Math.max(...times)].map((each) => formatTimes(each).replace(" times", ""));
  const range = least === most ? `${most}` : `${least} to ${most}`;
  const usual = times.length === 0 ? "" : ` with ${range} times their usual views`;
  const titles = videos.map(({ title }) => `“${toPlainTitle(title ?? "")}”`);
  return `Likely from ${videos.length} new videos${usual}: ${new Intl.ListFormat("en-GB").format(titles)}.`;
}
