import { IconDots, IconExternalLink, IconPlaylist, IconSearch } from "@tabler/icons-react";
import { formatShortCount } from "@/core/format";
import { toDate } from "@/core/time";
import { formatVideoFacts } from "@/features/alerts/cause.rules";
import { CAUSE_WORDS } from "@/features/alerts/rules";
import type { AlertCause, CauseVideo } from "@/features/alerts/schema";
import { formatAge, formatTimes, toPlainTitle } from "@/features/videos/rules";
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
  const age = getReadAge(videos[0], read_at);
  return `${formatTimes(first)} its usual${age ? `, ${age} old` : ""}`;
}

function getReadAge(video: CauseVideo | undefined, readAt: string | null): string | null {
  if (!video?.published_at || !readAt) return null;
  return formatAge(toDate(readAt).getTime() - toDate(video.published_at).getTime());
}

/** The likely cause with its videos and their facts; in words where there is none. */
export function CauseBlock({ cause }: { cause: AlertCause }) {
  if (cause.videos.length === 0) return <p className={styles.none}>{cause.text}</p>;
  return (
    <div className={styles.block}>
      <span className={styles.note}>{cause.videos.length === 1 ? "Likely cause" : "Likely causes, together"}</span>
      {cause.videos.map((video) => (
        <div key={video.video_id} className={styles.video}>
          <Thumbnail {...video} size="large" />
          <div className={styles.facts}>
            <a className={styles.link} href={video.url} target="_blank" rel="noreferrer">
              <bdi>{formatTitle(video)}</bdi> <IconExternalLink size={14} aria-hidden />
              <span className="visually-hidden">(opens a new tab)</span>
            </a>
            <span>{explainViews(video, cause.read_at)}</span>
          </div>
          {video.times_usual !== null && (
            <span className={styles.times}>
              <strong>{formatTimes(video.times_usual).replace(" times", "×")}</strong>
              <span className={styles.note}>its usual</span>
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function explainViews(video: CauseVideo, readAt: string | null): string {
  if (video.title === null) return "Details are deleted after 30 days.";
  const facts = formatVideoFacts({ ...video, times_usual: null }, readAt);
  const usual = video.usual_views === null ? "" : ` Usual at that age: ${formatShortCount(video.usual_views)}.`;
  return `${facts}${video.is_short ? ", Short" : ""}.${usual}`;
}
