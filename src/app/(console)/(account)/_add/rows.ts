import { formatCount, formatQuantity } from "@/core/format";
import type { ListEntry } from "@/features/creators/list.rules";
import type { ChannelPreview } from "@/features/creators/preview.service";
import type { Outcomes, Preview } from "./use-adding";

/** What became of an entry, in the order of the panel, with the text after their number. */
const STATES = {
  wrong: "to correct",
  missing: "not found",
  refused: "not tracked",
  guess: "to confirm",
  new: "to look up",
  ready: "to track",
  tracked: "now tracked",
  known: "already tracked",
  repeated: "repeated",
  skipped: "skipped",
} as const;
export type RowState = keyof typeof STATES;
const ROW_STATES = Object.keys(STATES) as RowState[];

/** An entry of the list as the panel shows it. */
export interface Row {
  entry: ListEntry;
  state: RowState;
  channel?: ChannelPreview;
  /** Why it is not tracked. */
  reason?: string;
}

/** The entries of a list with what is known of each, those with problems first. */
export function buildRows(entries: readonly ListEntry[], previews: ReadonlyMap<string, Preview>, outcomes: Outcomes) {
  const firsts = findFirsts(entries, previews);
  const rows = entries.map((entry): Row => {
    if ("skipped" in entry) return { entry, state: "skipped" };
    if ("error" in entry) return { entry, state: "wrong", reason: entry.error };
    if ("repeats" in entry) return { entry, state: "repeated", reason: `Already on line ${entry.repeats}` };
    const preview = previews.get(entry.name);
    if (!preview) return { entry, state: "new" };
    if ("error" in preview)
      return { entry, state: preview.code === "not_found" ? "missing" : "refused", reason: preview.error };
    const { channel } = preview;
    const first = firsts.get(channel.channel_id);
    if (first && first !== entry) return { entry, state: "repeated", reason: `Already on line ${first.line}` };
    const outcome = outcomes.get(channel.channel_id);
    if (outcome) return { entry, state: "refused", channel, reason: outcome };
    if (outcome === null) return { entry, state: "tracked", channel };
    if (channel.is_tracked) return { entry, state: "known", channel };
    if (entry.guessedFrom === undefined) return { entry, state: "ready", channel };
    return { entry, state: "guess", channel, reason: `Guessed from “${entry.guessedFrom}”. Is it this channel?` };
  });
  return rows.toSorted((one, other) => ROW_STATES.indexOf(one.state) - ROW_STATES.indexOf(other.state));
}

/** The entry that stands for each channel: the first, and before guesses one that is certain. */
function findFirsts(entries: readonly ListEntry[], previews: ReadonlyMap<string, Preview>): Map<string, ListEntry> {
  const firsts = new Map<string, ListEntry>();
  for (const wantsGuess of [false, true])
    for (const entry of entries) {
      const preview =
        "name" in entry && (entry.guessedFrom !== undefined) === wantsGuess ? previews.get(entry.name) : undefined;
      if (preview && "channel" in preview && !firsts.has(preview.channel.channel_id))
        firsts.set(preview.channel.channel_id, entry);
    }
  return firsts;
}

/** The number of rows in each state that occurs. */
export function countStates(rows: readonly Row[]): [RowState, number][] {
  const counts = ROW_STATES.map((state): [RowState, number] => [
    state,
    rows.filter((row) => row.state === state).length,
  ]);
  return counts.filter(([, count]) => count > 0);
}

/** A number of entries in a state: `3 to track`. */
export function formatState(state: RowState, count: number): string {
  return state === "guess" ? formatQuantity(count, "guess", "guesses") : `${formatCount(count)} ${STATES[state]}`;
}

/** How many entries are in each state, for screen readers. */
export function formatSummary(counts: readonly [RowState, number][], isBusy: boolean): string {
  const [[state, lines] = [], ...others] = counts;
  if (state === "skipped" && others.length === 0) return `No channel found in ${formatQuantity(lines ?? 0, "line")}`;
  const parts = counts.map(([state, count]) => {
    if (state === "tracked") return `Now tracking ${formatQuantity(count, "more creator")}`;
    if (state === "new" && isBusy) return `looking up ${formatCount(count)}`;
    return formatState(state, count);
  });
  return parts.join(" · ");
}

/** What stays to be done by the person. */
const OPEN: readonly RowState[] = ["wrong", "missing", "refused", "guess"];

/** What of a list is left to do. */
export type Work = ReturnType<typeof sortWork>;

export function sortWork(rows: readonly Row[], confirmed: ReadonlySet<string>) {
  const ids = rows.flatMap(({ state, channel }) => {
    const isChosen =
      state === "ready" || state === "refused" || (state === "guess" && channel && confirmed.has(channel.channel_id));
    return isChosen && channel ? [channel.channel_id] : [];
  });
  return {
    ids,
    guesses: rows.flatMap(({ state, channel }) => (state === "guess" && channel ? [channel.channel_id] : [])),
    unread: rows.flatMap(({ state, entry }) => (state === "new" ? [entry] : [])),
    open: rows.filter(({ state }) => OPEN.includes(state)),
  };
}

export function listNames(entries: readonly ListEntry[]): string[] {
  return entries.flatMap((entry) => ("name" in entry ? [entry.name] : []));
}
