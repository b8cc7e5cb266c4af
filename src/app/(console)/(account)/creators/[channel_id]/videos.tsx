import { Skeleton } from "@mantine/core";
import { formatCount, formatDay, formatLength, formatQuantity, formatShortCount } from "@/core/format";
import { SECOND, toDate } from "@/core/time";
import type { Alert } from "@/features/alerts/schema";
import { formatAge, toPlainTitle } from "@/features/videos/rules";
import type { RecentVideo, RecentVideos } from "@/features/videos/service";
import { trpc } from "../../../_client/trpc";
import { QueryState } from "../../../_ui/query-state";
import { Thumbnail } from "../../../_ui/thumbnail";
import { UploadShape } from "./_chart/upload-marks";
import { buildAlertsQuery } from "./alerts-query";
import sectionStyles from "./creator.module.css";
import { Section } from "./section";
import styles from "./videos.module.css";

/** The ten newest videos of a creator, each beside what is usual for it. */
export function Videos({ channelId }: { channelId: string }) {
  const query = trpc.creators.videos.useQuery(
    { channel_id: channelId },
    { refetchInterval: ({ state }) => (state.data?.is_reading ? 2 * SECOND : false) },
  );
  const alerts = trpc.alerts.list.useQuery(buildAlertsQuery(channelId)).data?.alerts ?? [];
  const actions = (
    <a className={styles.how} href="/docs/growth#likely-cause">
      How “usual” is measured
    </a>
  );
  return (
    <div className={styles.section}>
      <Section title="Newest videos" aside={query.data && summarize(query.data)} actions={actions}>
        <QueryState query={query} skeleton={<Skeleton height={300} />}>
          {({ videos, read_at }) =>
            read_at === null ? (
              <p className={styles.note}>No videos were read yet, or the channel has none.</p>
            ) : (
              <>
                <table className={styles.table}>
                  <thead>
                    <tr>
                      {COLUMNS.map((column) => (
                        <th key={column} scope="col">
                          {column}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {videos.map((video) => {
                      const isNamed = ({ cause }: Alert) =>
                        cause.videos.some(({ video_id }) => video_id === video.video_id);
                      return (
                        <VideoRow key={video.video_id} video={video} readAt={read_at} caused={alerts.find(isNamed)} />
                      );
                    })}
                  </tbody>
                </table>
                <p className={sectionStyles.caption}>
                  The tick marks 1×: what a video of this channel usually has at that age; Shorts, videos and streams
                  apart. The bar ends at {MAX_TIMES}×, an arrow means more. Up to 3 minutes counts as a Short.
                </p>
              </>
            )
          }
        </QueryState>
      </Section>
    </div>
  );
}

/** `1.5 uploads a week, 6 of the newest 10 are Shorts. Read 27 Nov` */
function summarize({ uploads_per_week, videos, read_at }: RecentVideos): string {
  if (read_at === null) return "";
  const rate = uploads_per_week === null ? "" : `${formatQuantity(uploads_per_week, "upload")} a week. `;
  const shorts = videos.filter(({ form }) => form === "short").length;
  const share = shorts > 0 ? `${shorts} of these ${shorts === 1 ? "is a Short" : "are Shorts"}. ` : "";
  return `${rate}${share}Read ${formatDay(read_at)}`;
}

const COLUMNS = ["Video", "Age", "Views", "Usual at that age", "Times usual", "Kind", "Length"] as const;

const FORMS = { short: "Short", long: "Video", live: "Stream" } as const;

function VideoRow({ video, readAt, caused }: { video: RecentVideo; readAt: string; caused: Alert | undefined }) {
  const age = toDate(readAt).getTime() - toDate(video.published_at).getTime();
  return (
    <tr data-cause={caused ? true : undefined}>
      <th scope="row">
        <span className={styles.video}>
          <Thumbnail video_id={video.video_id} thumbnail_url={video.thumbnail_url} size="medium" />
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
      <td>{formatViews(video.usual_views)}</td>
      <td>{video.times_usual !== null && <TimesUsual times={video.times_usual} isCause={caused !== undefined} />}</td>
      <td>
        <svg className={styles.form} width="12" height="12" viewBox="-6 -6 12 12" aria-hidden>
          <UploadShape form={video.form} isCause={false} />
        </svg>
        {FORMS[video.form]}
      </td>
      <td>{video.seconds === null ? "" : formatLength(video.seconds)}</td>
    </tr>
  );
}

function formatViews(views: number | null): string {
  return views === null ? "–" : formatShortCount(views);
}

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
