import { IconDots, IconExternalLink, IconPlaylist, IconSearch } from "@tabler/icons-react";
import { formatShortCount, formatUtc } from "@/core/format";
import { toDate } from "@/core/time";
import { formatVideoFacts } from "@/features/alerts/cause.rules";
import { CAUSE_WORDS } from "@/features/alerts/rules";
import type { AlertCause, CauseVideo } from "@/features/alerts/schema";
import { formatAge, formatTimes, toPlainTitle } from "@/features/videos/rules";
import type { RecentVideo } from "@/features/videos/service";
import styles from "./cause.module.css";
import { Thumbnail } from "./thumbnail";

const SIGNS = {
  several: IconPlaylist,
  no_new_video: IconSearch,
  unknown: IconDots,
  pending: IconDots,
  video: IconDots,
};

/** The likely cause of an alert in two short lines. */
export function CauseLine({ cause }: { cause: AlertCause }) {
  const [first] = cause.videos;
  const isNamed = cause.kind === "video" && first !== undefined;
  const Sign = SIGNS[cause.kind];
  return (
    <span className={styles.line} title={cause.text}>
      {isNamed ? (
        <Thumbnail {...first} size="small" />
      ) : (
        <span className={styles.sign} aria-hidden>
          <Sign size={14} />
        </span>
      )}
      <span className={styles.words}>
        <span className="visually-hidden">Likely cause: </span>
        <bdi className={styles.title}>{isNamed ? formatTitle(first) : summarize(cause)}</bdi>
        {first && <span className={styles.note}>{summarizeTimes(cause)}</span>}
      </span>
    </span>
  );
}

function formatTitle({ title }: CauseVideo): string {
  return title === null ? "Video, details deleted" : toPlainTitle(title);
}

function summarize({ kind, videos }: AlertCause): string {
  return kind === "several" ? `${videos.length} videos together` : CAUSE_WORDS[kind];
}

/** `24 times its usual, 31 hours old`, or of several: `4 to 9 times their usual`. */
function summarizeTimes({ videos, read_at }: AlertCause): string {
  const times = videos.flatMap(({ times_usual }) => times_usual ?? []).toSorted((one, other) => one - other);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return "";
  if (videos.length > 1) return `${formatTimes(first).replace(" times", "")} to ${formatTimes(last)} their usual`;
  const published = videos[0]?.published_at;
  const age = published && read_at && formatAge(toDate(read_at).getTime() - toDate(published).getTime());
  return `${formatTimes(first)} its usual${age ? `, ${age} old` : ""}`;
}

interface CauseBlockProps {
  cause: AlertCause;
  title?: string;
  /** The videos of now, for their views. */
  current?: readonly RecentVideo[];
}

/** The likely cause with its videos and their facts; in words where there is none. */
export function CauseBlock({ cause, title, current = [] }: CauseBlockProps) {
  const { kind, videos, read_at, text } = cause;
  const heading = title ?? (videos.length === 1 ? "Likely cause" : "Likely causes, together");
  const Sign = SIGNS[kind];
  return (
    <div className={styles.block}>
      {videos.map((video, index) => (
        <div key={video.video_id} className={styles.video}>
          <Thumbnail {...video} size="large" seconds={findVideo(video, current)?.seconds} />
          <div className={styles.facts}>
            {index === 0 && <span className={styles.note}>{heading}</span>}
            <a className={styles.link} href={video.url} target="_blank" rel="noreferrer">
              <bdi>{formatTitle(video)}</bdi> <IconExternalLink size={14} aria-hidden />
              <span className="visually-hidden">(opens a new tab)</span>
            </a>
            <span>{explainViews(video, read_at, findVideo(video, current))}</span>
            {video.published_at && (
              <span className={styles.note}>
                {video.is_short ? "Short" : "Video"}, uploaded {formatUtc(video.published_at)}
              </span>
            )}
          </div>
          <Ratio video={video} />
        </div>
      ))}
      {videos.length === 0 && (
        <div className={styles.video}>
          <span className={styles.sign} data-large aria-hidden>
            <Sign size={20} />
          </span>
          <div className={styles.facts}>
            <span className={styles.note}>{heading}</span>
            <span>{text}</span>
          </div>
        </div>
      )}
    </div>
  );
}

/** How many times its usual views a video has, and both as bars on one scale. */
function Ratio({ video: { views, usual_views: usual, times_usual: times } }: { video: CauseVideo }) {
  if (times === null || views === null || usual === null) return null;
  const most = Math.max(views, usual, 1);
  const bars = [
    { name: "This video", count: views },
    { name: "Usual", count: usual },
  ];
  return (
    <div className={styles.ratio}>
      <span>
        <strong>{formatTimes(times)}</strong> its usual views at that age
      </span>
      {bars.map(({ name, count }) => (
        <span key={name} className={styles.compared}>
          {name}
          <span className={styles.bar} style={{ width: `${(100 * count) / most}%` }} aria-hidden />
          <b>{formatShortCount(count)}</b>
        </span>
      ))}
    </div>
  );
}

function findVideo({ video_id }: CauseVideo, current: readonly RecentVideo[]): RecentVideo | undefined {
  return current.find((video) => video.video_id === video_id);
}

/** `34.3K views in 31 hours when the cause was read, 61.9K now.` */
function explainViews(video: CauseVideo, readAt: string | null, now: RecentVideo | undefined): string {
  if (video.title === null) return "Details are deleted after 30 days.";
  const facts = formatVideoFacts({ ...video, times_usual: null }, readAt);
  return now && now.views !== null ? `${facts} at the alert, ${formatShortCount(now.views)} now.` : `${facts}.`;
}
