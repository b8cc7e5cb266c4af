import { formatProblem } from "./addresses.rules";
import { readJson } from "./list-json.rules";
import { isChat, type ListRecord, offerWords, readLines } from "./list-lines.rules";
import { readMarkup } from "./list-markup.rules";
import { type OptionalColumns, readTable } from "./list-table.rules";
import { formatReference, getFoundName, isChannel, isForeign, isGuess } from "./references.rules";

/** What a record gives: a channel, the earlier line with the same channel, an error, or nothing. */
export type ListEntry = Omit<ListRecord, "found"> &
  ({ name: string; guessedFrom?: string } | { repeats: number } | { error: string } | { skipped: true });

/** The channels of a list, and its optional columns when it is a table. */
export interface ReadList {
  entries: ListEntry[];
  columns: OptionalColumns;
}

/** Reads every channel of a text: JSON and markup of known exports, tables by record, anything else by line. */
export function readList(input: string): ReadList {
  const text = input
    .replace(/^\ufeff|\0/g, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  const known = readJson(text) ?? readMarkup(text);
  const table = known || isChat(text) ? null : readTable(text);
  const records = known ?? table?.records ?? offerWords(readLines(text));
  return { entries: toEntries(records), columns: table?.columns ?? {} };
}

/** One entry for each channel found, and one for a record without any. */
function toEntries(records: readonly ListRecord[]): ListEntry[] {
  const seen = new Map<string, number>();
  return records.flatMap(({ found, ...at }): ListEntry[] => {
    if (found.length === 0) return [{ ...at, skipped: true }];
    const isOnly = found.filter(isChannel).length === 1;
    return found.map((each): ListEntry => {
      const { text, parsed } = each;
      if (parsed.kind === "other") {
        const problem = formatProblem(parsed.problem);
        return { ...at, text, ...(isForeign(each) ? { skipped: true, reason: problem } : { error: problem }) };
      }
      const entry = { ...at, text: isOnly ? at.text : text };
      const identity = getFoundName(each);
      const first = seen.get(identity);
      if (first !== undefined) return { ...entry, repeats: first };
      seen.set(identity, at.line);
      return { ...entry, name: formatReference(parsed), ...(isGuess(each) && { guessedFrom: each.doubtful ?? text }) };
    });
  });
}
