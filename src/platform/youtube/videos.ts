import { z } from "zod";
import { toDate } from "@/core/time";
import type { ChannelVideo, VideoUse } from "../port";
import { count, createPageSchema, Thumbnails, videoId } from "./answers";
import { PAGE, type YoutubeClient } from "./client";

const UPLOAD_FIELDS = "kind,items/contentDetails/videoId";
const VIDEO_FIELDS =
  "kind,items(id,snippet(title,publishedAt,liveBroadcastContent,thumbnails/medium/url),statistics(viewCount,likeCount,commentCount),contentDetails/duration,liveStreamingDetails(actualStartTime,actualEndTime,scheduledStartTime))";

const instant = z.iso.datetime({ offset: true }).transform(toDate);

/** `PT1H2M3S`. A stream on air has `P0D`. */
const duration = z
  .string()
  .regex(/^P(\d+D)?(T(\d+H)?(\d+M)?(\d+S)?)?$/)
  .transform((text) => {
    const read = (unit: string) => Number.parseInt(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? "0", 10);
    return ((read("D") * 24 + read("H")) * 60 + read("M")) * 60 + read("S");
  });

/** Private and deleted videos stay in the list of uploads, and are missing from the videos. */
const Upload = z.object({ contentDetails: z.object({ videoId }) });

/** Counts may be hidden, and all of them missing. */
const Video = z
  .object({
    id: videoId,
    snippet: z.object({
      title: z.string(),
      publishedAt: instant,
      liveBroadcastContent: z.string().catch("none"),
      thumbnails: Thumbnails,
    }),
    statistics: z.object({ viewCount: count, likeCount: count, commentCount: count }).default({}),
    contentDetails: z.object({ duration: duration.nullable().catch(null) }).default({ duration: null }),
    liveStreamingDetails: z
      .object({ actualStartTime: instant.optional(), scheduledStartTime: instant.optional() })
      .nullable()
      .catch(null),
  })
  .transform(({ id, snippet, statistics, contentDetails, liveStreamingDetails: stream }): ChannelVideo => {
    const broadcast = getBroadcast(snippet.liveBroadcastContent, stream !== null);
    const start = broadcast === "upcoming" ? stream?.scheduledStartTime : stream?.actualStartTime;
    return {
      videoId: id,
      title: snippet.title.trim(),
      publishedAt: start ?? snippet.publishedAt,
      views: statistics.viewCount ?? null,
      likes: statistics.likeCount ?? null,
      comments: statistics.commentCount ?? null,
      seconds: contentDetails.duration || null,
      broadcast,
      thumbnailUrl: snippet.thumbnails?.medium.url ?? null,
    };
  });

function getBroadcast(content: string, isStream: boolean): ChannelVideo["broadcast"] {
  if (content === "live" || content === "upcoming") return content;
  return isStream ? "ended" : null;
}

const UploadPage = createPageSchema("youtube#playlistItemListResponse");
const VideoPage = createPageSchema("youtube#videoListResponse");

/** Reads a channel's list of uploads, whose id has UU in place of UC, and then its videos. @throws PlatformError */
export async function listRecentVideos(client: YoutubeClient, channelId: string, use: VideoUse) {
  const call = { bucket: "general", use, tries: 1 } as const;
  const playlistId = channelId.replace("UC", "UU");
  const uploads = await client.request({
    ...call,
    path: "playlistItems",
    answer: UploadPage,
    params: { part: "contentDetails", fields: UPLOAD_FIELDS, maxResults: PAGE, playlistId },
  });
  const { parsed } = client.readItems("playlistItems", uploads?.items ?? [], Upload);
  const ids = [...new Set(parsed.map(({ contentDetails }) => contentDetails.videoId))];
  if (ids.length === 0) return [];
  const part = "snippet,statistics,contentDetails,liveStreamingDetails";
  const answer = await client.request({
    ...call,
    path: "videos",
    answer: VideoPage,
    params: { part, fields: VIDEO_FIELDS, maxResults: PAGE, id: ids.join() },
  });
  return client.readItems("videos", answer?.items ?? [], Video).parsed;
}
