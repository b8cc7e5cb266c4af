import type { Creator } from "@/features/creators/schema";
import styles from "./avatar.module.css";
import { AvatarImage } from "./avatar-image";

interface AvatarProps extends Pick<Creator, "channel_id" | "name" | "thumbnail_url"> {
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

/** Start and end of gradients, dark enough for white initials. */
const GRADIENTS = [
  ["#3b3fae", "#6f8cf0"],
  ["#7a2f5b", "#c25a7c"],
  ["#0f5f63", "#2f9a8f"],
  ["#5a2a86", "#9a5fd0"],
  ["#8a3a12", "#cf7433"],
  ["#22508a", "#4a90c4"],
  ["#7d1f3c", "#d2456a"],
  ["#2f5d1f", "#6a9a3c"],
  ["#4b2f7f", "#3f6fc9"],
  ["#8a2a4a", "#c9683c"],
  ["#125a80", "#1f9aa8"],
  ["#6a3a1a", "#a8873a"],
  ["#31346a", "#7a5ab8"],
  ["#1f5a45", "#4f9a5f"],
] as const;

/** Paths in a box of 34: disc, hill, band, corner, ring, wave. */
const SHAPES = [
  "M25 3a11 11 0 1 0 .01 0z",
  "M0 34V20Q17 4 34 20V34z",
  "M0 24L34 6V16L0 34z",
  "M34 0V34Q12 24 12 0z",
  "M17 4a13 13 0 1 0 .01 0zm0 6a7 7 0 1 1-.01 0z",
  "M0 22q8.5-10 17 0t17 0V34H0z",
] as const;

/**
 * A picture for a channel. The same channel always gets the same one.
 * @returns a CSS image, the path of a shape in a box of 34, and initials
 */
export function drawAvatar({ channel_id, name }: { channel_id: string; name: string }) {
  const bits = hashFnv1a(channel_id);
  const [from, to] = GRADIENTS[bits % GRADIENTS.length] ?? GRADIENTS[0];
  const angle = ((bits >>> 8) % 8) * 45;
  return {
    gradient: `linear-gradient(${angle}deg, ${from}, ${to})`,
    shape: SHAPES[(bits >>> 16) % SHAPES.length] ?? SHAPES[0],
    initials: getInitials(name),
  };
}

function getInitials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return letters.slice(0, 2).join("").toUpperCase();
}

/** FNV-1a in 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
