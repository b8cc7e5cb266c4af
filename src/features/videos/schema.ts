export const VIDEO_FORMS = ["short", "long", "live"] as const;

/** A video as the creator's page shows it. */
export interface RecentVideo {
  video_id: string;
  title: string;
  url: string;
  thumbnail_url: string | null;
  published_at: string;
  form: (typeof VIDEO_FORMS)[number];
  /** Null for a stream on air. */
  seconds: number | null;
  is_upcoming: boolean;
  views: number | null;
  /** What a video of this channel and form usually has at that age. */
  usual_views: number | null;
  times_usual: number | null;
}

/** The newest videos of a creator. */
export interface RecentVideos {
  /** Whether they are being read for another request; ask again in a moment. */
  is_reading: boolean;
  /** Null when they were never read. */
  read_at: string | null;
  /** The ten newest. */
  videos: RecentVideo[];
  /** All that were read, newest first. */
  uploads: Pick<RecentVideo, "video_id" | "title" | "published_at" | "form">[];
  /** Over the last 28 days. */
  uploads_per_week: number | null;
}
