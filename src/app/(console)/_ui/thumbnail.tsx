import { IconPlayerPlay } from "@tabler/icons-react";
import { formatLength } from "@/core/format";
import styles from "./thumbnail.module.css";

interface ThumbnailProps {
  /** Null where the platform shows none. */
  thumbnail_url: string | null;
  size: "small" | "medium" | "large";
  /** The video's length, shown on a large one. */
  seconds?: number | null;
}

/** The picture of a video, which its title stands beside. */
export function Thumbnail({ thumbnail_url, size, seconds }: ThumbnailProps) {
  return (
    <span className={styles.frame} data-size={size} aria-hidden>
      {thumbnail_url ? (
        // biome-ignore lint/performance/noImgElement: the platform's own small picture, as it is
        <img src={thumbnail_url} alt="" loading="lazy" referrerPolicy="no-referrer" />
      ) : (
        <IconPlayerPlay size={size === "large" ? 22 : 14} />
      )}
      {seconds && <span className={styles.length}>{formatLength(seconds)}</span>}
    </span>
  );
}
