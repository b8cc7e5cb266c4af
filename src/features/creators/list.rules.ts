import { formatProblem } from "./addresses.rules";
import { readJson } from "./list-json.rules";
import { readMarkup } from "./list-markup.rules";
import { type OptionalColumns, readTable } from "./list-table.rules";
import { formatReference, getFoundName, type ListRecord, readLines } from "./references.rules";

/** What a record gives: a channel, the earlier line with the same channel, an error, or nothing. */
export type ListEntry = Omit<ListRecord, "found"> &
  ({ name: string; isGuess: boolean } | { repeats: number } | { error: string } | { skipped: true });

/** The channels of a list, and its optional columns when it is a table. */
export interface ReadList {
  entries: ListEntry[];
  columns: OptionalColumns;
}

/** Reads every channel of a text: JSON and markup of known exports, tables by record, anything else by line. */
export function readList(input: string): ReadList {
  const text = input
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  const known = readJson(text) ?? readMarkup(text);
  const table = known ? null : readTable(text);
  const records = known ?? table?.records ?? readLines(text);
  return { entries: toEntries(records), columns: table?.columns ?? {} };
}

/** One entry for each channel found, and one for a record without any. */
function toEntries(records: readonly ListRecord[]): ListEntry[] {
  const seen = new Map<string, number>();
  return records.flatMap(({ found, ...at }): ListEntry[] => {
    if (found.length === 0) return [{ ...at, skipped: true }];
    return found.map(({ text, parsed }): ListEntry => {
      if (parsed.kind === "other") return { ...at, text, error: formatProblem(parsed.problem) };
      const entry = { ...at, text: found.length > 1 ? text : at.text };
      const identity = getFoundName({ text, parsed });
      const first = seen.get(identity);
      if (first !== undefined) return { ...entry, repeats: first };
      seen.set(identity, at.line);
      return { ...entry, name: formatReference(parsed), isGuess: parsed.kind === "guess" };
    });
  });
}
