import { Avatar as MantineAvatar } from "@mantine/core";
import type { Creator } from "@/features/creators/schema";

const TONES = ["indigo", "teal", "grape", "orange", "cyan", "pink", "lime", "violet"];

/** The channel's picture, else its initials. Decorative: the name stands beside it. */
export function Avatar(creator: Pick<Creator, "channel_id" | "name" | "thumbnail_url">) {
  return (
    <MantineAvatar
      aria-hidden
      src={creator.thumbnail_url}
      size={34}
      color={toneOf(creator.channel_id)}
      styles={{ placeholder: { color: "var(--mantine-color-text)" } }}
      imageProps={{ loading: "lazy", referrerPolicy: "no-referrer", alt: "" }}
    >
      {initialsOf(creator.name)}
    </MantineAvatar>
  );
}

/** The same channel always has the same tone. */
function toneOf(channelId: string): string | undefined {
  const sum = [...channelId].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 9973, 7);
  return TONES[sum % TONES.length];
}

function initialsOf(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return letters.slice(0, 2).join("").toUpperCase();
}
