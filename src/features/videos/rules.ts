import { median } from "d3-array";
import { formatCount, formatQuantity } from "@/core/format";
import { DAY, HOUR } from "@/core/time";
import type { ChannelVideo } from "@/platform/port";

/** Videos up to this long are shown as Shorts. The platform's answers do not say which are. */
export const SHORT_SECONDS = 180;

/** The public page of a video. */
export function toVideoUrl(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}

/** How a video is compared: with others of its form. */
export type VideoForm = "short" | "long" | "live";

export function getVideoForm({ seconds, broadcast }: Pick<ChannelVideo, "seconds" | "broadcast">): VideoForm {
  if (broadcast !== null) return "live";
  return seconds !== null && seconds <= SHORT_SECONDS ? "short" : "long";
}

/** Videos of the same form that a usual is measured with; with fewer, all forms are. */
const MIN_ALIKE = 3;
/** The videos nearest in age, which tell what is usual now. */
const NEAREST = 11;

/**
 * How views grow with age: fast on the first day, then ever slower, and hardly after 30 days. Proportional to age to the
 * power of 0.7, 0.3 and 0. Only the ratio of two ages is used.
 */
function computeGrowthFactor(age: number): number {
  const firstDay = Math.min(Math.max(age, HOUR), DAY) / DAY;
  const later = Math.min(Math.max(age, DAY), 30 * DAY) / DAY;
  return firstDay ** 0.7 * later ** 0.3;
}

/**
 * The views that a video of this channel usually has at the age of one of its videos: the median of the others, each
 * taken to that age. They are those of its form, Shorts, long videos and streams apart, that are nearest in age.
 * @param at when the views were read
 * @returns null when no other video tells
 */
export function computeUsualViews(video: ChannelVideo, all: readonly ChannelVideo[], at: Date): number | null {
  const known = all.flatMap((other) =>
    other.videoId !== video.videoId && other.views !== null && isPublished(other, at)
      ? [{ form: getVideoForm(other), views: other.views, age: getAge(other, at) }]
      : [],
  );
  const form = getVideoForm(video);
  const alike = known.filter((other) => other.form === form);
  const age = getAge(video, at);
  const getDistance = (other: { age: number }) => Math.abs(Math.log(Math.max(other.age, HOUR) / Math.max(age, HOUR)));
  const nearest = (alike.length < MIN_ALIKE ? known : alike)
    .toSorted((one, other) => getDistance(one) - getDistance(other))
    .slice(0, NEAREST);
  const factor = computeGrowthFactor(age);
  const usual = median(nearest, (other) => (other.views * factor) / computeGrowthFactor(other.age));
  return usual === undefined ? null : Math.round(usual);
}

export type MeasuredVideo = ReturnType<typeof measureVideo>;

/** A video beside what is usual for it on its channel, null without other videos; the ratio has one decimal. */
export function measureVideo(video: ChannelVideo, all: readonly ChannelVideo[], at: Date) {
  const usualViews = isPublished(video, at) ? computeUsualViews(video, all, at) : null;
  const times = usualViews === null || video.views === null ? null : video.views / Math.max(1, usualViews);
  return { video, usualViews, timesUsual: times === null ? null : Math.round(10 * times) / 10 };
}

/** A measured video under the names that clients read. */
export function describeVideo({ video, usualViews, timesUsual }: MeasuredVideo) {
  return {
    video_id: video.videoId,
    title: video.title,
    thumbnail_url: video.thumbnailUrl,
    published_at: video.publishedAt.toISOString(),
    views: video.views,
    usual_views: usualViews,
    times_usual: timesUsual,
  };
}

/** The days over which uploads a week are counted. */
const RATE_DAYS = 28;
/** The most videos of a reading: with as many, the list may end within those days. */
const FULL_LIST = 50;

/** Uploads a week over the last 28 days, with one decimal; null without videos. */
export function computeUploadsPerWeek(all: readonly ChannelVideo[], at: Date): number | null {
  const ages = all.filter((video) => isPublished(video, at)).map((video) => getAge(video, at));
  if (ages.length === 0) return null;
  const oldest = Math.max(...ages, DAY);
  const span = all.length < FULL_LIST ? RATE_DAYS * DAY : Math.min(oldest, RATE_DAYS * DAY);
  const recent = ages.filter((age) => age <= span).length;
  return Math.round((10 * recent * 7 * DAY) / span) / 10;
}

/** Whether a video was public at an instant, and not only announced. */
export function isPublished({ publishedAt, broadcast }: ChannelVideo, at: Date): boolean {
  return broadcast !== "upcoming" && publishedAt <= at;
}

/** Milliseconds since the video was published. */
export function getAge({ publishedAt }: Pick<ChannelVideo, "publishedAt">, at: Date): number {
  return at.getTime() - publishedAt.getTime();
}

/** `31 hours`, from two days on `5 days`. */
export function formatAge(age: number): string {
  const hours = Math.max(1, Math.round(age / HOUR));
  return hours < 48 ? formatQuantity(hours, "hour") : formatQuantity(Math.round(age / DAY), "day");
}

/** `24 times`, below ten with a decimal: `6.4 times`. */
export function formatTimes(times: number): string {
  return `${times >= 10 ? formatCount(Math.round(times)) : Math.round(10 * times) / 10} times`;
}

const MAX_TITLE = 80;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * A title for plain text: one line, at most 80 characters, without marks that change the writing direction. A title with
 * letters written from right to left is isolated from the text around it.
 */
export function toPlainTitle(title: string): string {
  const line = title
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment);
  const start = characters.slice(0, MAX_TITLE - 1).join("");
  const cut = characters.length > MAX_TITLE ? `${start.trim()}…` : line;
  if (cut === "") return "Untitled video";
  return /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u.test(cut) ? `\u2068${cut}\u2069` : cut;
}
