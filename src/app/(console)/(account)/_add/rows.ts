import type { ListEntry } from "@/features/creators/list.rules";
import type { ChannelPreview } from "@/features/creators/schema";
import type { Outcomes, Preview } from "./use-adding";

/** A line of the list as the panel shows it. */
export type Row = Pick<ListEntry, "line" | "text"> &
  (
    | { state: "wrong"; error: string }
    /** Names the channel of an earlier line. */
    | { state: "repeated"; first: number }
    /** Not looked up yet. */
    | { state: "new" }
    | { state: "ready" | "tracked" | "was tracked"; channel: ChannelPreview }
    | { state: "refused"; channel: ChannelPreview; error: string }
  );

/** The lines of a list with what is known of each. */
export function buildRows(
  entries: readonly ListEntry[],
  previews: ReadonlyMap<string, Preview>,
  outcomes: Outcomes,
): Row[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { line, text } = entry;
    if ("repeats" in entry) return { line, text, state: "repeated", first: entry.repeats };
    if ("error" in entry) return { line, text, state: "wrong", error: entry.error };
    const preview = previews.get(entry.name);
    if (!preview) return { line, text, state: "new" };
    if ("error" in preview) return { line, text, state: "wrong", error: preview.error };
    const { channel } = preview;
    const first = seen.get(channel.channel_id);
    // The same channel by its handle and by its id.
    if (first !== undefined) return { line, text, state: "repeated", first };
    seen.set(channel.channel_id, line);
    const outcome = outcomes.get(channel.channel_id);
    if (outcome) return { line, text, state: "refused", channel, error: outcome };
    if (outcome === null) return { line, text, state: "tracked", channel };
    return { line, text, state: channel.is_tracked ? "was tracked" : "ready", channel };
  });
}
