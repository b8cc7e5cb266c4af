import { z } from "zod";

export const VIDEO_FORMS = ["short", "long", "live"] as const;

/** A video as the creator's page shows it. */
export const RecentVideo = z.object({
  video_id: z.string(),
  title: z.string(),
  url: z.url(),
  thumbnail_url: z.url().nullable(),
  published_at: z.iso.datetime(),
  form: z.enum(VIDEO_FORMS),
  seconds: z.int().nullable().describe("Null for a stream on air"),
  is_upcoming: z.boolean(),
  views: z.int().nullable(),
  usual_views: z.int().nullable().describe("What a video of this channel and form usually has at that age"),
  times_usual: z.number().nullable(),
});
export type RecentVideo = z.output<typeof RecentVideo>;

/** The newest videos of a creator. */
export const RecentVideos = z.object({
  is_reading: z.boolean().describe("Whether they are being read for another request; ask again in a moment"),
  read_at: z.iso.datetime().nullable().describe("Null when they were never read"),
  videos: z.array(RecentVideo).describe("The ten newest"),
  uploads: z
    .array(RecentVideo.pick({ video_id: true, title: true, published_at: true, form: true }))
    .describe("All that were read, newest first"),
  uploads_per_week: z.number().nullable().describe("Over the last 28 days"),
});
export type RecentVideos = z.output<typeof RecentVideos>;
