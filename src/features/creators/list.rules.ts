import { parseUrl } from "@/core/http/url";
import type { ChannelReference } from "@/platform/port";
import { CHANNEL_FORMS, getReferenceName, isPlatformHost, parseChannelReference } from "./rules";

/** Maximum lines taken from a list at a time. */
export const LINES_AT_ONCE = 500;

/** A line of a list: its channel, the earlier line with the same channel, or an error. */
export type ListEntry = { line: number; text: string } & ({ name: string } | { repeats: number } | { error: string });

/** Parsed input of the search field. */
export type Recognised =
  | { kind: "niche"; niche: string }
  /** `rest` is the text after the lines that were taken. */
  | { kind: "channels"; entries: ListEntry[]; rest: string };

const NOT_OF_PLATFORM = "Only youtube.com channel URLs work here";
const NO_CHANNEL = "This youtube.com URL is not a channel. Use the channel's URL";
const NO_FORM = CHANNEL_FORMS.replace("must", "Must");
const WORDS_OF_HEADING = 3;
const HEADER = /channel|handle|creator|link|\b(url|id|name|title)s?\b/i;
/** Invisible characters that come with copied names. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/**
 * Parses a niche or a list of channels. A line of only channels (separated by spaces, commas or semicolons)
 * gives all of them. Any other line, and each line below a header, gives the first cell that looks like a
 * channel.
 */
export function parseInput(input: string): Recognised {
  const rows = splitRows(input);
  if (!/[\r\n]/.test(input.trim()) && !rows.some(isChannelLike)) return { kind: "niche", niche: input.trim() };
  const entries: ListEntry[] = [];
  const seen = new Map<string, number>();
  let index = 0;
  for (; index < rows.length && entries.length < LINES_AT_ONCE; index++) {
    const row = (rows[index] ?? "").trim();
    if (row === "" || (index === 0 && rows.length > 1 && isHeader(row))) continue;
    entries.push(parseEntry(row, index + 1, seen));
  }
  return { kind: "channels", entries, rest: rows.slice(index).join("\n").trim() };
}

/** Replaces one line of a list. */
export function replaceLine(input: string, line: number, text: string): string {
  return splitRows(input)
    .with(line - 1, text)
    .join("\n");
}

/** The lines of a text, with those of several channels split. */
function splitRows(input: string): string[] {
  const lines = input.trim().split(/\r\n|\r|\n/);
  if (lines.length === 1) return splitPieces(input);
  return isHeader(lines[0] ?? "") ? lines : lines.flatMap((line) => splitChannels(line) ?? [line]);
}

/** Splits a line of only channels; null for any other line. */
function splitChannels(line: string): string[] | null {
  const pieces = splitPieces(line);
  return pieces.length > 1 && pieces.every(isChannelLike) ? pieces : null;
}

function parseEntry(row: string, line: number, seen: Map<string, number>): ListEntry {
  const cells = parseCells(row);
  const [reference] = [...cells, ...cells.flatMap(splitPieces)].flatMap((cell) => parseChannelReference(cell) ?? []);
  if (!reference) return { line, text: row, error: describeProblem(cells.find(isChannelLike) ?? row) };
  const identity = getReferenceName(reference);
  const first = seen.get(identity);
  if (first !== undefined) return { line, text: row, repeats: first };
  seen.set(identity, line);
  return { line, text: row, name: formatReference(reference) };
}

function formatReference(reference: ChannelReference): string {
  if (reference.kind === "id") return reference.id;
  return reference.kind === "handle" ? reference.handle : `https://www.youtube.com/user/${reference.username}`;
}

/** The cells of a CSV line with commas, semicolons or tabs. A doubled quote in a quoted cell is one. */
function parseCells(row: string): string[] {
  const cells = row.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,;\t]*))\s*(?:[,;\t]|$)/g);
  return [...cells]
    .map(([, quoted, plain = ""]) => (quoted?.replaceAll('""', '"') ?? plain).replace(INVISIBLE, "").trim())
    .filter(Boolean);
}

function splitPieces(text: string): string[] {
  return text
    .replace(INVISIBLE, "")
    .split(/[\s,;]+/)
    .filter(Boolean);
}

function isHeader(row: string): boolean {
  const cells = parseCells(row);
  const areHeadings = cells.every((cell) => cell.trim().split(/\s+/).length <= WORDS_OF_HEADING);
  return HEADER.test(row) && areHeadings && !cells.some(isChannelLike);
}

/** Whether a text looks like a channel, valid or not. */
function isChannelLike(text: string): boolean {
  return /^@|^UC[\w-]{16,}$|^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+\//i.test(text);
}

function describeProblem(text: string): string {
  const url = /^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+\//i.test(text)
    ? parseUrl(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`)
    : null;
  if (!url) return NO_FORM;
  return isPlatformHost(url.hostname) ? NO_CHANNEL : NOT_OF_PLATFORM;
}
