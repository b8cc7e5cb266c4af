import type { Creator } from "@/features/creators/schema";
import styles from "./avatar.module.css";
import { drawAvatar } from "./avatar-drawing";
import { AvatarImage } from "./avatar-image";

interface AvatarProps extends Pick<Creator, "channel_id" | "name" | "thumbnail_url"> {
  /** For the head of a page. */
  large?: boolean;
}

/** The channel's picture, else one drawn from its id. Decorative: the name is shown beside it. */
export function Avatar({ large = false, ...creator }: AvatarProps) {
  const { gradient, shape, initials } = drawAvatar(creator);
  return (
    <span className={styles.avatar} data-large={large || undefined} style={{ backgroundImage: gradient }} aria-hidden>
      <svg className={styles.shape} viewBox="0 0 34 34" aria-hidden>
        <path d={shape} />
      </svg>
      {initials}
      {creator.thumbnail_url && <AvatarImage src={creator.thumbnail_url} />}
    </span>
  );
}
