import type { ChannelReference } from "@/platform/port";
import { CHANNEL_ID, decode, type Parsed, parseReference } from "./addresses.rules";
import { getReferenceName } from "./rules";

/** A token of a text that names a channel, or was meant to. */
export interface Found {
  text: string;
  parsed: Exclude<Parsed, { kind: "none" }>;
}

/** One line, record or link of a list. */
export interface ListRecord {
  line: number;
  text: string;
  found: readonly Found[];
  /** Values of optional columns. */
  list?: string;
  note?: string;
}

/** Parsed input of the search field. */
export type Recognised = { kind: "niche"; niche: string } | { kind: "channels"; found: Found[] };

/** Invisible characters that come with copied names. The joiners of Persian and Indic handles stay. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BOUNDARY = /[\s"“”„«»‹›'’‘`()[\]{}<>（）【】「」『』《》〈〉|*,;،؛、，；。！？—–]+/u;
/** Where a reference begins in a token: an address, or what no letter precedes, unlike in an email address. */
const START =
  /https?:\/\/|(?<![\p{L}\p{M}\p{N}._+%@＠/-])(?:[@＠](?=[_-]*[\p{L}\p{N}])|UC[\w-]{16}|(?:[\p{L}\d-]+\.)+\p{L}{2,}\/)/iu;
/** A bullet without a blank. */
const BULLET = /^[-+/]+(?=[@＠]|UC[\w-]{22}$)/;
const END_PUNCTUATION = /[^\p{L}\p{M}\p{N}_=&/-]+$/u;
/** The text of a Markdown link, whose address says it better. */
const LINK_TEXT = /\[[^\]]*\](?=\(https?:\/\/(?:\w+\.)?youtube\.com\/)/g;
/** The parameters in which other sites and mail programs wrap a link. */
const WRAPPED_URL = /[?&](?:q|url|u)=(https?(?::|%3a)[^&#]+)/i;
/** The id in an address of another site about YouTube: an archive, a mirror, a directory. */
const ID_ELSEWHERE = /(?:\/channel\/|[?&]channel_id=)(UC[\w-]{22})(?![\w-])/;
/** Handles of other networks. */
const OTHER_NETWORK =
  /(?:\b(?:twitter|insta(?:gram)?|ig|tik ?tok|threads|bluesky|mastodon|telegram|twitch|discord|facebook|fb|snapchat|github|linkedin)\s*[:：–-]?|\bx:)\s*[@＠]\S+/giu;

/** Parses a niche, or the channels of a text. */
export function parseInput(input: string): Recognised {
  const text = input.trim();
  const found = findReferences(text);
  return found.length > 0 || /[\r\n]/.test(text) ? { kind: "channels", found } : { kind: "niche", niche: text };
}

/** Every reference in a text, each once. */
export function findReferences(text: string): Found[] {
  return removeRepeats(splitTokens(text).flatMap((token) => findInToken(token) ?? []));
}

/** Reads a text line by line. A mention becomes a record without a channel, so that it is not lost. */
export function readLines(text: string): ListRecord[] {
  return text.split("\n").flatMap((line, index): ListRecord[] => {
    if (line.trim() === "") return [];
    const { found, mentions } = readLine(line);
    const at = { line: index + 1, text: line.trim() };
    return [{ ...at, found }, ...mentions.map((mention) => ({ ...at, text: mention.text, found: [] }))];
  });
}

/**
 * The references of a line. A handle beside an id or a URL is a mention, which is returned as such, unless the line
 * consists of references alone.
 */
function readLine(line: string): { found: Found[]; mentions: Found[] } {
  const tokens = splitTokens(line).map((token) => ({ token, reference: findInToken(token) }));
  const found = removeRepeats(tokens.flatMap(({ reference }) => reference ?? []));
  const isListOnly = tokens.every(({ token, reference }) => reference !== null || !/\p{L}/u.test(token));
  if (isListOnly) return { found, mentions: [] };
  const named = found.filter(({ parsed }) => parsed.kind !== "other");
  if (named.length === 0) return { found: found.slice(0, 1), mentions: [] };
  if (named.every(isMention)) return { found: named, mentions: [] };
  return { found: named.filter((each) => !isMention(each)), mentions: named.filter(isMention) };
}

const MENTION = 2;

/** Whether a reference is a plain handle, which prose may only mention. */
export function isMention(found: Found): boolean {
  return rankStrength(found) === MENTION;
}

/** The strongest channels of a record; without any, its errors. */
export function pickStrongest(found: readonly Found[]): Found[] {
  const rank = Math.min(...found.map(rankStrength));
  return removeRepeats(found.filter((each) => rankStrength(each) === rank));
}

/** Ranks a reference within its record: id, channel URL, handle, guess, none. */
function rankStrength({ text, parsed: { kind } }: Found): number {
  if (kind === "other") return 4;
  if (kind === "guess") return 3;
  if (kind === "id") return 0;
  return /^[@＠]/.test(text) ? MENTION : 1;
}

/** One name for each found channel. A guess has a name of its own. */
export function getFoundName({ text, parsed }: Found): string {
  if (parsed.kind === "other") return text;
  return parsed.kind === "guess" ? `guess/${parsed.handle.toLowerCase()}` : getReferenceName(parsed);
}

/** A found channel in a form that the service accepts. */
export function formatReference(parsed: ChannelReference | Extract<Parsed, { kind: "guess" }>): string {
  if (parsed.kind === "id") return parsed.id;
  if (parsed.kind === "handle") return parsed.handle;
  const page = parsed.kind === "guess" ? `c/${parsed.handle.slice(1)}` : `user/${parsed.username}`;
  return `https://www.youtube.com/${page}`;
}

/** Parses a text that is one reference as a whole. Paths of the platform's own pages count as well. */
export function parseWhole(text: string): Found | null {
  const reference = text
    .trim()
    .replace(INVISIBLE, "")
    .replace(/^\/(?=channel\/|user\/|[@＠])/, "https://www.youtube.com/");
  const parsed = parseReference(reference);
  if (parsed.kind === "none") return null;
  const id = parsed.kind === "other" && /^https?:/i.test(reference) && ID_ELSEWHERE.exec(reference)?.[1];
  return { text: reference, parsed: id ? { kind: "id", id } : parsed };
}

function removeRepeats(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((each) => [getFoundName(each), each])).values()].toReversed();
}

function splitTokens(text: string): string[] {
  const plain = text.replace(INVISIBLE, "").replaceAll("\\/", "/").replace(LINK_TEXT, "").replace(OTHER_NETWORK, " ");
  return plain.split(BOUNDARY).filter(Boolean);
}

function findInToken(token: string): Found | null {
  const bare = token
    .replace(END_PUNCTUATION, "")
    .replace(/^(_+)(.+)\1$/, "$2")
    .replace(BULLET, "");
  const start = CHANNEL_ID.test(bare) ? 0 : bare.search(START);
  if (start === -1) return null;
  const piece = bare.slice(start);
  const wrapped = WRAPPED_URL.exec(piece)?.[1];
  return parseWhole(wrapped ? decode(wrapped) : piece);
}
