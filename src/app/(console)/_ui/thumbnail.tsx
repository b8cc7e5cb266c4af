import { IconPlayerPlay } from "@tabler/icons-react";
import { formatLength } from "@/core/format";
import { drawAvatar } from "./avatar";
import styles from "./thumbnail.module.css";

interface ThumbnailProps {
  video_id: string;
  thumbnail_url: string | null;
  size: "small" | "medium" | "large";
  /** The video's length, shown on a large one. */
  seconds?: number | null;
}

/** The picture of a video, else one drawn from its id. Decorative: the title is shown beside it. */
export function Thumbnail({ video_id, thumbnail_url, size, seconds }: ThumbnailProps) {
  const { gradient, shape } = drawAvatar({ channel_id: video_id, name: "" });
  const front = drawAvatar({ channel_id: `${video_id} front`, name: "" });
  return (
    <span className={styles.frame} data-size={size} style={{ backgroundImage: gradient }} aria-hidden>
      {thumbnail_url ? (
        // biome-ignore lint/performance/noImgElement: the platform's own small picture, as it is
        <img src={thumbnail_url} alt="" loading="lazy" referrerPolicy="no-referrer" />
      ) : (
        <>
          <svg aria-hidden className={styles.scene} viewBox="0 0 34 34" preserveAspectRatio="none">
            <path d={shape} />
            <path d={front.shape} />
          </svg>
          <IconPlayerPlay size={size === "large" ? 22 : 14} />
        </>
      )}
      {seconds && <span className={styles.length}>{formatLength(seconds)}</span>}
    </span>
  );
}
