"use client";

import { Skeleton, Text, Title } from "@mantine/core";
import { formatCount, formatDate, formatDay, formatLength, formatQuantity, formatShortCount } from "@/core/format";
import { SECOND, toDate } from "@/core/time";
import type { Alert } from "@/features/alerts/schema";
import { formatAge, toPlainTitle } from "@/features/videos/rules";
import type { RecentVideo, RecentVideos } from "@/features/videos/schema";
import { trpc } from "../../../_client/trpc";
import { QueryState } from "../../../_ui/query-state";
import { Thumbnail } from "../../../_ui/thumbnail";
import { buildAlertsQuery } from "./_chart/view-state";
import styles from "./videos.module.css";

/** The ten newest videos of a creator, each beside what is usual for it. */
export function Videos({ channelId }: { channelId: string }) {
  const query = trpc.creators.videos.useQuery(
    { channel_id: channelId },
    { refetchInterval: ({ state }) => (state.data?.is_reading ? 2 * SECOND : false) },
  );
  const alerts = trpc.alerts.list.useQuery(buildAlertsQuery(channelId)).data?.alerts ?? [];
  return (
    <section aria-labelledby="videos" className={styles.section}>
      <div className={styles.head}>
        <Title order={2} size="h4" id="videos">
          Newest videos
        </Title>
        <Text size="xs" c="dimmed">
          {query.data && summarize(query.data)}
        </Text>
      </div>
      <QueryState query={query} skeleton={<Skeleton height={300} />}>
        {({ videos, read_at }) =>
          read_at === null ? (
            <Text size="sm" c="dimmed">
              No videos were read yet, or the channel has none.
            </Text>
          ) : (
            <VideoTable videos={videos} readAt={read_at} alerts={alerts} />
          )
        }
      </QueryState>
    </section>
  );
}

function summarize({ uploads_per_week, read_at }: RecentVideos): string {
  const rate = uploads_per_week === null ? "" : `${formatQuantity(uploads_per_week, "upload")} a week. `;
  return read_at ? `${rate}Read ${formatDate(read_at)}` : "";
}

interface VideoTableProps {
  videos: readonly RecentVideo[];
  readAt: string;
  alerts: readonly Alert[];
}

function VideoTable({ videos, readAt, alerts }: VideoTableProps) {
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Video</th>
            <th scope="col">Age</th>
            <th scope="col">Views</th>
            <th scope="col" data-wide>
              Usual at that age
            </th>
            <th scope="col">Times usual</th>
            <th scope="col" data-wide>
              Kind
            </th>
            <th scope="col" data-wide>
              Length
            </th>
          </tr>
        </thead>
        <tbody>
          {videos.map((video) => (
            <VideoRow key={video.video_id} video={video} readAt={readAt} caused={findCaused(video, alerts)} />
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt="xs">
        The tick marks what a video of this channel usually has at that age; Shorts, videos and streams are compared
        apart. The bar ends at {MAX_TIMES} times. Views come from the platform, the comparison from us. Up to 3 minutes
        counts as a Short.
      </Text>
    </>
  );
}

/** The alert that likely came from a video. */
function findCaused({ video_id }: RecentVideo, alerts: readonly Alert[]): Alert | undefined {
  return alerts.find(({ cause }) => cause.videos.some((named) => named.video_id === video_id));
}

const FORMS = { short: "○ Short", long: "▲ Video", live: "■ Stream" } as const;

function VideoRow({ video, readAt, caused }: { video: RecentVideo; readAt: string; caused: Alert | undefined }) {
  const age = toDate(readAt).getTime() - toDate(video.published_at).getTime();
  return (
    <tr>
      <th scope="row">
        <span className={styles.video}>
          <Thumbnail thumbnail_url={video.thumbnail_url} size="small" />
          <span className={styles.name}>
            <a href={video.url} target="_blank" rel="noreferrer" title={toPlainTitle(video.title)}>
              <bdi>{toPlainTitle(video.title)}</bdi>
              <span className="visually-hidden"> (opens a new tab)</span>
            </a>
            {caused && <span className={styles.note}>Likely cause of the alert of {formatDay(caused.day)}</span>}
          </span>
        </span>
      </th>
      <td>{video.is_upcoming ? "Announced" : formatAge(age)}</td>
      <td title={video.views === null ? undefined : formatCount(video.views)}>{formatViews(video.views)}</td>
      <td data-wide>{formatViews(video.usual_views)}</td>
      <td>{video.times_usual !== null && <TimesUsual times={video.times_usual} isCause={caused !== undefined} />}</td>
      <td data-wide>{FORMS[video.form]}</td>
      <td data-wide>{video.seconds === null ? "" : formatLength(video.seconds)}</td>
    </tr>
  );
}

function formatViews(views: number | null): string {
  return views === null ? "–" : formatShortCount(views);
}

/** Where the bar ends. */
const MAX_TIMES = 4;

function TimesUsual({ times, isCause }: { times: number; isCause: boolean }) {
  const share = Math.min(1, times / MAX_TIMES);
  return (
    <span className={styles.times} data-cause={isCause || undefined}>
      <span className={styles.track} aria-hidden>
        <span
          className={styles.fill}
          data-beyond={times > MAX_TIMES || undefined}
          style={{ width: `${100 * share}%` }}
        />
        <span className={styles.tick} />
      </span>
      <strong>{times >= 10 ? formatCount(Math.round(times)) : times.toFixed(1)}×</strong>
    </span>
  );
}
