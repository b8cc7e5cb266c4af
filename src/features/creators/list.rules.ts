import { parseUrl } from "@/core/http/url";
import { CHANNEL_FORMS, isPlatformHost, parseChannelReference, referenceName } from "./rules";

/** The most lines of a list taken at a time. */
export const LINES_AT_ONCE = 500;

/** A channel of a list: its name as the service takes it, or why the line names none. */
export type ListEntry = { line: number; text: string } & ({ name: string } | { error: string });

/** What someone typed, pasted or dropped. */
export type Recognised =
  | { kind: "niche"; niche: string }
  /** `rest` is the text after the lines that were taken. */
  | { kind: "channels"; entries: ListEntry[]; rest: string };

const NOT_OF_PLATFORM = "Only youtube.com channel URLs work here";
const NO_CHANNEL = "This youtube.com URL leads to no channel. Use the URL of the channel";
const NO_FORM = CHANNEL_FORMS.replace("must", "Must");
const HEADER = /channel|handle|creator|link|\b(url|id|name|title)s?\b/i;
/** Marks of direction and of no width, which come with copied names. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Tells a niche from channels. One line may name several channels, apart by spaces, commas or semicolons. Of several
 * lines each names one, in its first cell that has the form of a channel.
 */
export function recognise(input: string): Recognised {
  const text = input.trim();
  const lines = text.split(/\r\n|\r|\n/);
  const single = lines.length === 1 ? piecesOf(text) : [];
  if (lines.length === 1 && !single.some(looksLikeChannel)) return { kind: "niche", niche: text };
  const rows = lines.length === 1 ? single : lines;
  const taken: ListEntry[] = [];
  const seen = new Map<string, number>();
  let place = 0;
  for (; place < rows.length && taken.length < LINES_AT_ONCE; place++) {
    const row = (rows[place] ?? "").trim();
    if (row === "" || (place === 0 && isHeader(row, rows.length))) continue;
    taken.push(entryOf(row, place + 1, seen));
  }
  return { kind: "channels", entries: taken, rest: rows.slice(place).join("\n").trim() };
}

function entryOf(row: string, line: number, seen: Map<string, number>): ListEntry {
  const cells = cellsOf(row);
  const name = [...cells, ...cells.flatMap(piecesOf)].find((cell) => parseChannelReference(cell) !== null);
  const reference = name && parseChannelReference(name);
  if (!name || !reference) return { line, text: row, error: problemOf(cells.find(looksLikeChannel) ?? row) };
  const identity = referenceName(reference);
  const first = seen.get(identity);
  if (first !== undefined) return { line, text: row, error: alreadyOn(first) };
  seen.set(identity, line);
  return { line, text: row, name };
}

/** The error of a line with a channel of an earlier one. */
export function alreadyOn(line: number): string {
  return `Already on line ${line}`;
}

/** The cells of a CSV line with commas, semicolons or tabs. A doubled quote in a quoted cell is one. */
function cellsOf(row: string): string[] {
  const cells = row.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))\s*(?:[,;\t]|$)/g);
  return [...cells]
    .map(([, quoted, plain = ""]) => (quoted?.replaceAll('""', '"') ?? plain).replace(INVISIBLE, "").trim())
    .filter(Boolean);
}

function piecesOf(text: string): string[] {
  return text
    .replace(INVISIBLE, "")
    .split(/[\s,;]+/)
    .filter(Boolean);
}

function isHeader(row: string, rows: number): boolean {
  return rows > 1 && HEADER.test(row) && !cellsOf(row).some(looksLikeChannel);
}

/** Whether a text is meant as a channel, also where it is none. */
function looksLikeChannel(text: string): boolean {
  return /^@|^UC[\w-]{16,}$|^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+\//i.test(text);
}

function problemOf(text: string): string {
  const url = /^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+\//i.test(text)
    ? parseUrl(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)
    : null;
  if (!url) return NO_FORM;
  return isPlatformHost(url.hostname) ? NO_CHANNEL : NOT_OF_PLATFORM;
}
