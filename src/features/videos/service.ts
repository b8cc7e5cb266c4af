import { and, desc, eq, sql } from "drizzle-orm";
import { DAY, startOfDay, toUtcDay } from "@/core/time";
import { type CoreContext, inTransaction } from "@/db/context";
import { channels, snapshots, videos } from "@/db/schema";
import type { ChannelVideo, PlatformContext, VideoUse } from "@/platform/port";
import { getAge, isPublished } from "./rules";

/** The days before a reading whose uploads are counted. */
const UPLOAD_DAYS = 7;

/**
 * Reads the newest videos of a channel and stores them.
 * @returns null where the platform knows no videos
 * @throws PlatformError
 */
export async function readVideos(
  ctx: PlatformContext,
  channelId: string,
  use: VideoUse,
): Promise<ChannelVideo[] | null> {
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
    if (read.length > 0)
      await db
        .insert(videos)
        .values(read.map((video) => ({ ...video, channelId, readAt })))
        .onConflictDoNothing();
    const uploads = read.filter((video) => isPublished(video, readAt) && getAge(video, readAt) < UPLOAD_DAYS * DAY);
    await db
      .update(snapshots)
      .set({
        uploads7d: uploads.length,
        uploadViews7d: uploads.reduce((sum, { views }) => sum + (views ?? 0), 0),
      })
      .where(and(eq(snapshots.channelId, channelId), eq(snapshots.day, toUtcDay(readAt))));
  });
}

/** The stored videos of a channel, newest first, and when they were read. */
export async function listStoredVideos({ db }: CoreContext, channelId: string) {
  return db
    .select()
    .from(videos)
    .where(eq(videos.channelId, channelId))
    .orderBy(desc(videos.publishedAt), videos.videoId);
}

/** Takes the day's turn to read a channel's videos for a page. @returns whether it was not taken before */
export async function claimDailyReading({ db, clock }: CoreContext, channelId: string): Promise<boolean> {
  const now = clock.now();
  const { count } = await db
    .update(channels)
    .set({ videosTriedAt: now })
    .where(
      and(
        eq(channels.id, channelId),
        sql`coalesce(${channels.videosTriedAt} < ${startOfDay(toUtcDay(now)).toISOString()}::timestamptz, true)`,
      ),
    );
  return count > 0;
}
