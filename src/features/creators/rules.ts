import { formatCount, formatQuantity } from "@/core/format";
import type { ChannelReference } from "@/platform/port";
import { CHANNEL_ID } from "./addresses.rules";
import type { Creator, ItemCode } from "./schema";

/** Maximum creators that a chart compares with its own. */
export const MAX_COMPARED = 4;

/** Days after which a link to an evidence card expires. */
export const SHARE_DAYS = [7, 30] as const;
export const MAX_SHARES = 100;
export const SHARING_OFF =
  "Links are off on this service: YouTube allows showing its data and our figures to others only with its consent.";

/** The orders of the table of tracked creators. */
export const TRACKED_SORTS = [
  "score",
  "expected",
  "growth_1d",
  "growth_7d",
  "growth_28d",
  "subscribers",
  "name",
  "tracked_since",
] as const;

/** Whether a text has the form of a channel id. */
export function isChannelId(text: string): boolean {
  return CHANNEL_ID.test(text);
}

/** URL of a channel on the platform. */
export function toChannelUrl(channelId: string): string {
  return `https://www.youtube.com/channel/${channelId}`;
}

/** One name for each channel reference, the same for a handle in any case. */
export function getReferenceName(reference: ChannelReference): string {
  if (reference.kind === "id") return reference.id;
  return reference.kind === "handle" ? reference.handle.toLowerCase() : `user/${reference.username.toLowerCase()}`;
}

/** Whether the first growth of a creator is still to come. A hidden count never gives one. */
export function isWaiting(creator: Pick<Creator, "status" | "counts" | "score_basis">): boolean {
  return creator.status === "active" && creator.counts !== "hidden" && creator.score_basis === "profile";
}

/** What became of a list, in one sentence. @param codes why channels are not tracked */
export function formatTracking(added: number, existing: number, codes: readonly ItemCode[]): string {
  const count = (code: ItemCode) => codes.filter((each) => each === code).length;
  const parts: [number, string][] = [
    [added, "new"],
    [existing, "already tracked"],
    [count("not_found"), "not found"],
    [count("guess"), count("guess") === 1 ? "guess to confirm" : "guesses to confirm"],
    [count("not_a_channel"), count("not_a_channel") === 1 ? "not a channel" : "not channels"],
    [count("lookups_used_up"), "without a look-up left"],
    [count("unavailable"), "to try again"],
  ];
  const named = parts.flatMap(([number, text]) => (number > 0 ? [`${formatCount(number)} ${text}`] : []));
  return `Now tracking ${formatQuantity(added + existing, "creator")}: ${named.join(", ")}`;
}
