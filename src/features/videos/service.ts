import { sum } from "d3-array";
import { and, desc, eq, exists, gt, isNull, lt, or } from "drizzle-orm";
import { DAY, SECOND, startOfDay, toDate, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { channels, snapshots, trackedCreators, videos } from "@/db/schema";
import { type ChannelVideo, isPlatformError, type PlatformContext, type VideoUse } from "@/platform/port";
import {
  computeUploadsPerWeek,
  describeVideo,
  getAge,
  getVideoForm,
  isPublished,
  type MeasuredVideo,
  measureVideo,
  toVideoUrl,
} from "./rules";

/** The days before a reading whose uploads are counted. */
const UPLOAD_DAYS = 7;

/** Reads a channel's newest videos and stores them; null where the platform knows none. @throws PlatformError */
export async function readVideos(ctx: PlatformContext, channelId: string, use: VideoUse) {
  await ctx.db.update(channels).set({ videosTriedAt: ctx.clock.now() }).where(eq(channels.id, channelId));
  const read = await ctx.platform.listRecentVideos(channelId, use);
  if (read) await storeVideos(ctx, channelId, read);
  return read;
}

/** Replaces the stored videos of a channel, and notes its uploads of the last 7 days with the day's snapshot. */
function storeVideos(ctx: CoreContext, channelId: string, read: readonly ChannelVideo[]): Promise<void> {
  const readAt = ctx.clock.now();
  return inTransaction(ctx, async ({ db }) => {
    await db.delete(videos).where(eq(videos.channelId, channelId));
    const rows = read.map((video) => ({ ...video, channelId, readAt }));
    if (rows.length > 0) await db.insert(videos).values(rows).onConflictDoNothing();
    const uploads = read.filter((video) => isPublished(video, readAt) && getAge(video, readAt) < UPLOAD_DAYS * DAY);
    const counted = { uploads7d: uploads.length, uploadViews7d: sum(uploads, ({ views }) => views) };
    const isDay = and(eq(snapshots.channelId, channelId), eq(snapshots.day, toUtcDay(readAt)));
    await db.update(snapshots).set(counted).where(isDay);
  });
}

export type RecentVideos = Awaited<ReturnType<typeof getRecentVideos>>;

/**
 * The newest videos of a channel with what is usual for each. The first call of a UTC day reads them, if units allow;
 * otherwise those of the latest reading are returned.
 */
export async function getRecentVideos(ctx: PlatformContext, channelId: string) {
  const wasAsked = await claimDailyReading(ctx, channelId);
  if (wasAsked) await readForPage(ctx, channelId);
  const own = ctx.db.select().from(videos).where(eq(videos.channelId, channelId));
  const stored = await own.orderBy(desc(videos.publishedAt), videos.videoId);
  const readAt = stored[0]?.readAt;
  const isReading = !readAt && !wasAsked && (await isBeingRead(ctx, channelId));
  // While another request reads them, the page asks again in a moment.
  if (!readAt) return { is_reading: isReading, read_at: null, videos: [], uploads: [], uploads_per_week: null };
  return {
    is_reading: false,
    read_at: readAt.toISOString(),
    videos: stored.slice(0, SHOWN).map((video) => toRecentVideo(measureVideo(video, stored, readAt))),
    /** All that were read, newest first. */
    uploads: stored.filter((video) => isPublished(video, readAt)).map(toUpload),
    /** Over the last 28 days. */
    uploads_per_week: computeUploadsPerWeek(stored, readAt),
  };
}

/**
 * Reads the videos of a channel for its page, unless they were asked for on this UTC day. A failure is logged.
 * @returns whether there may be units for another channel
 */
export async function refreshVideos(ctx: PlatformContext, channelId: string): Promise<boolean> {
  return (await claimDailyReading(ctx, channelId)) ? readForPage(ctx, channelId) : true;
}

async function readForPage(ctx: PlatformContext, channelId: string): Promise<boolean> {
  try {
    await readVideos(ctx, channelId, "page");
    return true;
  } catch (error) {
    if (!isPlatformError(error)) throw error;
    ctx.log.warn({ channelId, problem: error.detail }, "the videos of a page could not be read");
    return error.failure !== "quota_exhausted";
  }
}

/** Whether another request may be reading the videos of a channel: its two calls take a moment. */
async function isBeingRead({ db, clock }: CoreContext, channelId: string): Promise<boolean> {
  const since = toDate(clock.now().getTime() - READING_TIME);
  return (await db.$count(channels, and(eq(channels.id, channelId), gt(channels.videosTriedAt, since)))) > 0;
}

/** The tracked channels that grew most in 7 days and whose videos were not asked for on this UTC day. */
export async function listRisers({ db, clock }: CoreContext, limit: number): Promise<string[]> {
  const { id, growth7dPercent } = channels;
  const isTracked = exists(db.select().from(trackedCreators).where(eq(trackedCreators.channelId, id)));
  const rows = await db
    .select({ id })
    .from(channels)
    .where(and(gt(growth7dPercent, 0), isTracked, isUnasked(clock.now())))
    .orderBy(desc(growth7dPercent), id)
    .limit(limit);
  return rows.map((row) => row.id);
}

function isUnasked(now: Date) {
  return or(isNull(channels.videosTriedAt), lt(channels.videosTriedAt, startOfDay(toUtcDay(now))));
}

const SHOWN = 10;
const READING_TIME = 20 * SECOND;

/**
 * A video as the creator's page shows it. Its usual views are what a video of this channel and form usually has at that
 * age; its seconds are null for a stream on air.
 */
export type RecentVideo = ReturnType<typeof toRecentVideo>;

function toRecentVideo(measured: MeasuredVideo) {
  const { videoId, seconds, broadcast } = measured.video;
  const kind = { form: getVideoForm(measured.video), seconds, is_upcoming: broadcast === "upcoming" };
  return { ...describeVideo(measured), url: toVideoUrl(videoId), ...kind };
}

function toUpload(video: ChannelVideo) {
  const { videoId: video_id, title, publishedAt } = video;
  return { video_id, title, published_at: publishedAt.toISOString(), form: getVideoForm(video) };
}

/** Takes the day's turn to read a channel's videos for a page. @returns whether they were not asked for before */
async function claimDailyReading({ db, clock }: CoreContext, channelId: string): Promise<boolean> {
  const now = clock.now();
  const isDue = and(eq(channels.id, channelId), isUnasked(now));
  const { count } = await db.update(channels).set({ videosTriedAt: now }).where(isDue);
  return count > 0;
}
