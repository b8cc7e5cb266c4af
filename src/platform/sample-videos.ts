import { z } from "zod";
import { DAY, HOUR, toDate } from "@/core/time";
import { type ChannelVideo, createUnreadError } from "./port";
import { hash, toShare } from "./sample-growth";
import sampleTitles from "./sample-titles.json" with { type: "json" };

const Titles = z.record(z.string(), z.array(z.string()).min(1));
/** Invented titles by niche, in English, and by language, with the language of a country. */
const TITLES = z
  .object({ niches: Titles, languages: Titles, countries: z.record(z.string(), z.string()) })
  .parse(sampleTitles);

/** What a rise of a simulated channel comes from, by its number: views by subscriber of each video. */
const CAUSE_VIDEOS = { short: [40], long: [25], none: [], several: [9, 8, 10], stream: [20], unread: [] };
type SampleCause = keyof typeof CAUSE_VIDEOS;
export const CAUSES = Object.keys(CAUSE_VIDEOS) as SampleCause[];

/** A simulated channel, as its videos need it. */
export interface SampleUploader {
  /** From which its videos follow. */
  id: string;
  /** Null outside the niches that have titles. */
  niche: string | null;
  country: string | null;
  subscribers: number;
  /** Instants in milliseconds: uploads are counted from the epoch of the simulation. */
  epoch: number;
  uploadsPerDay: number;
  /** The latest days of more than a tenth, by their start in milliseconds, with what was gained. */
  jumps: readonly { at: number; gained: number; number: number }[];
}

/** For how long after a jump of the cause `unread` the videos cannot be read. */
const UNREAD_FOR = 2 * DAY;
const MAX_VIDEOS = 30;
const HOURS_BEFORE_JUMP = 7;
const MIN_UPLOADS_PER_DAY = 1 / 5;

/**
 * The newest videos of a simulated channel. Each of its views follows from the video and its age alone.
 * @throws PlatformError after some jumps, so that an unknown cause can be seen too
 */
export function listSampleVideos(channel: SampleUploader, now: Date): ChannelVideo[] {
  const { epoch, jumps } = channel;
  const isUnread = ({ at, number }: SampleUploader["jumps"][number]) =>
    getCause(number) === "unread" && at <= now.getTime() && now.getTime() < at + UNREAD_FOR;
  if (jumps.some(isUnread)) throw createUnreadError(channel.id);
  const perDay = Math.max(MIN_UPLOADS_PER_DAY, channel.uploadsPerDay);
  const last = Math.floor(((now.getTime() - epoch) / DAY) * perDay);
  const ordinary = Array.from({ length: Math.min(MAX_VIDEOS, last) }, (_, back) => {
    const number = last - back;
    const at = epoch + ((number - 0.6 * toShare(channel.id, number, "time")) / perDay) * DAY;
    const isShort = toShare(channel.id, number, "form") < 0.4;
    const usual = channel.subscribers * (isShort ? 0.5 : 0.3) * (0.65 + 0.7 * toShare(channel.id, number, "views"));
    return createVideo(channel, { key: `${number}`, number, at, usual, isShort, isStream: false });
  });
  const unusual = jumps.flatMap((jump) => createUnusualVideos(channel, jump));
  const titles = new Set<string>();
  return [...unusual, ...ordinary]
    .filter(({ title }) => !titles.has(title) && titles.add(title))
    .filter((video) => video.publishedAt <= now)
    .sort((one, other) => other.publishedAt.getTime() - one.publishedAt.getTime())
    .map((video) => ({ ...video, views: Math.round((video.views ?? 0) * computeShare(video, now)) }));
}

function getCause(number: number): SampleCause {
  return CAUSES[number % CAUSES.length] ?? "none";
}

/** The videos that a jump came from, if any. */
function createUnusualVideos(channel: SampleUploader, { at, gained, number }: SampleUploader["jumps"][number]) {
  const cause = getCause(number);
  return CAUSE_VIDEOS[cause].map((viewsPerSubscriber, index) =>
    createVideo(channel, {
      key: `jump ${number} ${index}`,
      number: number + index,
      at: at - (HOURS_BEFORE_JUMP + 13 * index) * HOUR,
      usual: Math.max(viewsPerSubscriber * gained, channel.subscribers * viewsPerSubscriber * 0.3),
      isShort: cause === "short",
      isStream: cause === "stream",
    }),
  );
}

/** Endings of a title's later videos, so that those of an answer are distinct in any language. */
const SERIES = ["", " #2", " #3", " #4", " #5"] as const;

interface VideoPlan {
  key: string;
  number: number;
  at: number;
  /** Views after a month. */
  usual: number;
  isShort: boolean;
  isStream: boolean;
}

function createVideo(channel: SampleUploader, plan: VideoPlan): ChannelVideo {
  const { key, number, at, usual, isShort, isStream } = plan;
  const language = TITLES.countries[channel.country ?? ""];
  const titles =
    TITLES.languages[language ?? ""] ?? TITLES.niches[channel.niche ?? ""] ?? TITLES.niches.education ?? [];
  const title = number % titles.length;
  const episode = Math.floor(number / titles.length) + Math.floor(5 * toShare(channel.id, title, "series"));
  const length = toShare(channel.id, number, "length");
  return {
    videoId: hash(channel.id, key).toString("base64url").slice(0, 11),
    title: `${titles[title]}${SERIES[episode % SERIES.length]}`,
    publishedAt: toDate(Math.floor(at)),
    views: usual,
    likes: Math.round(usual / 30),
    comments: Math.round(usual / 400),
    seconds: Math.round(isShort ? 20 + 40 * length : isStream ? 3600 * (1 + 2 * length) : 240 + 1500 * length),
    broadcast: isStream ? "ended" : null,
    thumbnailUrl: null,
  };
}

/** The share of a month's views that a video has by now. */
function computeShare({ publishedAt }: ChannelVideo, now: Date): number {
  return 1 - Math.exp(-(((now.getTime() - publishedAt.getTime()) / DAY / 5) ** 0.6));
}
