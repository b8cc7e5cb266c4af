import type { ChannelReference } from "@/platform/port";
import {
  CHANNEL_FORMS,
  CHANNEL_ID,
  createMalformed,
  decode,
  findUploader,
  formatProblem,
  isHandleName,
  type Parsed,
  parseReference,
} from "./addresses.rules";
import { getReferenceName } from "./rules";

/** A token of a text that names a channel, or was meant to. */
export interface Found {
  text: string;
  parsed: Exclude<Parsed, { kind: "none" }>;
  /** Where channels are seldom meant: the comment, the code or the bare word that it was found in. */
  doubtful?: string;
}

/** One line, record or link of a list. */
export interface ListRecord {
  line: number;
  text: string;
  found: readonly Found[];
  /** Why a record without a channel has none. */
  reason?: string;
  /** Values of optional columns. */
  list?: string;
  note?: string;
}

/** Why a handle beside a channel is none of the list's. */
export const MENTIONED = "Mentioned beside another channel";

/** Parsed input of the search field. */
export type Recognised = { kind: "niche"; niche: string } | { kind: "channels"; found: Found[] };

/** Invisible characters that come with copied names. The joiners of Persian and Indic handles stay. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Variation_Selector}/gu;
/** Also the dot between a handle and a count, as pages of the platform show them, and the escapes of code and RTF. */
const BOUNDARY =
  /(?:[\s\u0085"“”„«»‹›'’‘`()[\]{}<>（）【】「」『』《》〈〉|*,;،؛、，；。！？—–•]|\\[nrt]?|[·‧](?=\d[\d.,]*\s?\p{L}*\.?\s+\p{L}))+/u;
/** Marks that Markdown and JSON put a backslash before. */
const ESCAPED = /\\([/_.~@-])/g;
/** Without these, a token names nothing. */
const MARK = /[@＠/]|U[CU]/i;
/** Where a reference begins in a token: an address, or what no letter precedes, unlike in an email address. */
const START =
  /https?:\/\/|(?<![\p{L}\p{M}\p{N}._+%@＠/-])(?:[@＠](?=[_-]*[\p{L}\p{N}])|U[CU][\w-]{16}|(?:[\p{L}\d-]+\.)+\p{L}{2,}\/)/iu;
/** A bullet without a blank. */
const BULLET = /^[-+/]+(?=[@＠]|UC[\w-]{22}$)/;
/** The end of an address without its beginning, such as `youtube,com/@name`. */
const CUT_HANDLE = /^[\w:.-]*\/+[@＠]\S/;
const END_PUNCTUATION = /[^\p{L}\p{M}\p{N}_=&/-]+$/u;
/** The text of a Markdown link, whose address says it better. */
const LINK_TEXT = /\[[^[\]]*\](?=\(https?:\/\/(?:\w+\.)?youtube\.com\/)/g;
/** A link that another site, an archive or a mail program wraps. */
const WRAPPED_URL = /[?&/](?:[\w-]+=)?(https?(?::|%3a)(?:\/|%2f){2}[^&#]+)/i;
const COMMENT = /^(?:#+|;|\/\/|--)\s|^\/\*|^<!--/;
/** At-rules, annotations, decorators, tags of documentation, and lines that end as only code does. */
const CODE =
  /^@[\w.-]+(?:\(|\s*\{)|[{}]$|[)"'\]];$|^(?:\*\s+)?@(?:Override|Deprecated|media|import|charset|keyframes|supports|property|param|returns?)\b(?![.-])/;
/** The line below an annotation or decorator. */
const DECLARATION = /^(?:export |async )*(?:def|class|fun|function)\s|^(?=\S+\s)[^@＠]*[{};]$/;
const LONE_HANDLE = /^[@＠][\w.]+$/;
/** The share of lines of one word that makes a text a list of names. */
const MIN_WORDS = 0.5;
/** What people put around the names of a list. */
const AROUND_WORD = /^(?:(?:[-*+•]|\d+[.)])\s+)?["']?|["',;]+$/g;
/** A copied message of a chat with its time and sender. */
const CHAT_LINE = /^(?:\[[^\]]*\d:\d\d[^\]]*\]|[\d/., ]+\d:\d\d(?::\d\d)?(?:\s[AP]M)?\s-)\s?([^:]{1,40}):\s/i;
/** The sender and the time on a line above the message. */
const CHAT_HEAD = /^(\S.{0,40}?)\W+(?:(?:today|yesterday)(?: at)?\s|\d[\d/.-]*,?\s)?\d?\d:\d\d(?:\s[AP]M)?$/i;
/** What cells without a name have. */
const NO_NAME = /^(?:none|null|nil|n\.a\.?|unknown|undefined|tbd|yes|true|false)$/i;
const MAX_QUOTED = 80;
const MAX_INPUT = 1000;
const NETWORKS =
  "twitter|insta(?:gram)?|ig|tik ?tok|threads|bluesky|bsky|mastodon|telegram|twitch|discord|facebook|fb|snapchat|github|linkedin";
/** Handles of other networks. */
const OTHER_NETWORK = new RegExp(
  String.raw`(?:\b(?:${NETWORKS})\s*[:：–-]?|\bx:)\s*[@＠]\S+|[@＠][^\s@＠]+\s(?:on\s|\()(?:${NETWORKS})\b`,
  "giu",
);
const NETWORK_NAME = new RegExp(String.raw`^x\b|\b(?:${NETWORKS})\b`, "i");

/** Parses a niche, or the channels of a text. */
export function parseInput(input: string): Recognised {
  const text = input.trim();
  const found = findReferences(text);
  return found.length > 0 || /[\r\n]/.test(text) ? { kind: "channels", found } : { kind: "niche", niche: text };
}

/** Whether a text is of channels rather than a niche. Long texts are, as no niche is that long. */
export function namesChannels(text: string): boolean {
  return text.length > MAX_INPUT || parseInput(text).kind === "channels";
}

/** Every reference in a text, each once. */
export function findReferences(text: string): Found[] {
  return toFound(text, readTokens(text));
}

/** Reads a text line by line. What a line names beside its channels becomes a record without one, so that it is not lost. */
export function readLines(text: string): ListRecord[] {
  const lines = text.split("\n").map((line) => line.trim());
  const people = listSenders(lines);
  return lines.flatMap((line, index): ListRecord[] => {
    if (line === "") return [];
    const isDecorator = LONE_HANDLE.test(line) && DECLARATION.test(lines[index + 1] ?? "");
    const { found, others } = readLine(line);
    const at = { line: index + 1, text: line };
    const leftOut = others.map(({ text, parsed }) => {
      const reason = parsed.kind === "other" ? formatProblem(parsed.problem) : MENTIONED;
      return { ...at, text, found: [], reason };
    });
    const isDoubtful = (each: Found) =>
      isDecorator || (isMention(each) && people.has(each.text.slice(1).toLowerCase()));
    return [{ ...at, found: found.map((each) => (isDoubtful(each) ? { ...each, doubtful: line } : each)) }, ...leftOut];
  });
}

/** Whether a text is a copied chat with the time and sender before each message. */
export function isChat(text: string): boolean {
  return text
    .slice(0, MAX_INPUT)
    .split("\n")
    .some((line) => CHAT_LINE.test(line.replace(INVISIBLE, "")));
}

/** The names that a chat calls its people by; none in other texts. */
function listSenders(lines: readonly string[]): Set<string> {
  const names = lines.flatMap((line) => (CHAT_LINE.exec(line) ?? CHAT_HEAD.exec(line))?.[1]?.toLowerCase() ?? []);
  const calls = names.flatMap((name) => [name.replace(/\s+/g, ""), ...name.split(/\s+/).slice(0, 1)]);
  return new Set(names.length > 0 ? [...calls, "everyone", "here", "channel"] : []);
}

/**
 * The references of a line. A handle beside an id or a URL is a mention, unless the line consists of references alone.
 * Without a channel, its errors.
 */
function readLine(line: string): { found: Found[]; others: Found[] } {
  const tokens = readTokens(line);
  const all = toFound(line, tokens);
  const isListOnly = tokens.every(({ token, found }) => found !== null || !/\p{L}/u.test(token));
  const named = all.filter(isChannel);
  if (isListOnly || named.length === 0) return { found: all, others: [] };
  const found = named.every(isMention) ? named : named.filter((each) => !isMention(each));
  return { found, others: all.filter((each) => !found.includes(each)) };
}

/** Offers the bare words of a list as handles, when most of its lines are one word. @param isHeading for the first */
export function offerWords(records: readonly ListRecord[], isHeading: (text: string) => boolean): ListRecord[] {
  const words = records.map(({ text }) => text.replace(AROUND_WORD, ""));
  if (words.filter((word) => !/\s/.test(word)).length < records.length * MIN_WORDS) return [...records];
  return records.map((record, index) => {
    const isNamed = record.found.length > 0 || record.reason || (index === 0 && isHeading(record.text));
    const offered = isNamed ? null : offerHandle(words[index]);
    return offered ? { ...record, found: [offered] } : record;
  });
}

/** A bare word that can be a handle. */
export function offerHandle(word = ""): Found | null {
  const name = word.replace(/^[@＠]\s+/, "");
  if (!isHandleName(name) || !/\p{L}/u.test(name) || NO_NAME.test(name)) return null;
  return { text: word, parsed: { kind: "handle", handle: `@${name.normalize("NFC")}` }, doubtful: word };
}

/** Whether a reference names a channel. */
export function isChannel({ parsed }: Found): boolean {
  return parsed.kind !== "other";
}

/** Whether a reference is a page of another site. */
export function isForeign({ parsed }: Found): boolean {
  return parsed.kind === "other" && parsed.fault === "foreign";
}

/** Whether a cell or heading is of another network, such as `TikTok` or `X handle`. */
export function isOtherNetwork(text: string): boolean {
  return NETWORK_NAME.test(text) && !/youtube|[./]/i.test(text);
}

/** Whether the person must confirm the channel. */
export function isGuess({ parsed, doubtful }: Found): boolean {
  return doubtful !== undefined || parsed.kind === "guess";
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

/** Ranks a reference within its record: id, channel URL, handle, guess, malformed, page of another site. */
function rankStrength(found: Found): number {
  const { kind } = found.parsed;
  if (kind === "other") return isForeign(found) ? 5 : 4;
  if (kind === "guess") return 3;
  if (kind === "id") return 0;
  return /^[@＠]/.test(found.text) ? MENTION : 1;
}

/** One name for each found channel. A guess has a name of its own. */
export function getFoundName(found: Found): string {
  const { text, parsed } = found;
  if (parsed.kind === "other") return text;
  const name = parsed.kind === "guess" ? parsed.handle.toLowerCase() : getReferenceName(parsed);
  return isGuess(found) ? `guess/${name}` : name;
}

/** A found channel in a form that the service accepts. */
export function formatReference(parsed: ChannelReference | Extract<Parsed, { kind: "guess" }>): string {
  if (parsed.kind === "id") return parsed.id;
  if (parsed.kind === "handle") return parsed.handle;
  const page = parsed.kind === "guess" ? `c/${parsed.handle.slice(1)}` : `user/${parsed.username}`;
  return `https://www.youtube.com/${page}`;
}

/**
 * The id in an address of another site about the platform, such as a mirror or an archive. Lists have them; the API takes
 * addresses of the platform only.
 */
const ID_ELSEWHERE = /^https?:\/\/[^\s/?#]+\S*?(?:\/channel\/|[?&]channel_id=)(UC[\w-]{22})(?:[/?&#]\S*)?$/;

/** A domain of a country, which leads to the platform's own. */
const COUNTRY_DOMAIN = /^(https?:\/\/)?(?:(?:www|m)\.)?youtube\.(?:com?\.)?[a-z]{2}(?=\/)/i;

/** Parses a text that is one reference as a whole. The platform's paths, lists of uploads and other domains count as well. */
export function parseWhole(text: string): Found | null {
  const reference = text
    .trim()
    .replace(INVISIBLE, "")
    .replace(/^\/(?=channel\/|user\/|[@＠])/, "https://www.youtube.com/");
  const parsed = parseReference(reference.replace(COUNTRY_DOMAIN, "https://www.youtube.com"));
  const id = ID_ELSEWHERE.exec(reference)?.[1] ?? findUploader(reference);
  if (id && (parsed.kind === "none" || isForeign({ text, parsed })))
    return { text: reference, parsed: { kind: "id", id } };
  return parsed.kind === "none" ? null : { text: reference, parsed };
}

function removeRepeats(found: readonly Found[]): Found[] {
  return [...new Map(found.toReversed().map((each) => [getFoundName(each), each])).values()].toReversed();
}

interface Token {
  token: string;
  found: Found | null;
}

function readTokens(text: string): Token[] {
  const plain = text.replace(INVISIBLE, "").replace(ESCAPED, "$1").replace(LINK_TEXT, "").replace(OTHER_NETWORK, " ");
  const tokens = plain.split(BOUNDARY).filter(Boolean);
  return tokens.map((token) => ({ token, found: MARK.test(token) ? findInToken(token) : null }));
}

/** What the tokens of a text name, each once. In comments and code it is doubtful, but a Markdown heading can be a link. */
function toFound(text: string, tokens: readonly Token[]): Found[] {
  const all = removeRepeats(tokens.flatMap(({ found }) => found ?? []));
  if (all.length === 0) return all;
  const isComment = COMMENT.test(text) && !text.includes("](");
  const isCode = CODE.test(text);
  return all.map((found) => {
    const isDoubtful = isChannel(found) && (isComment || (isCode && isMention(found)));
    return isDoubtful ? { ...found, doubtful: text.slice(0, MAX_QUOTED) } : found;
  });
}

function findInToken(token: string): Found | null {
  const bare = token
    .replace(END_PUNCTUATION, "")
    .replace(/^(_+)(.+)\1$/, "$2")
    .replace(BULLET, "");
  const start = CHANNEL_ID.test(bare) ? 0 : bare.search(START);
  if (start === -1) return CUT_HANDLE.test(bare) ? { text: bare, parsed: createMalformed(CHANNEL_FORMS) } : null;
  const piece = bare.slice(start);
  const whole = parseWhole(piece);
  const link = whole && !isChannel(whole) && WRAPPED_URL.exec(piece)?.[1];
  const wrapped = link ? parseWhole(decode(link)) : null;
  return whole && wrapped && (isChannel(wrapped) || isForeign(whole)) ? wrapped : whole;
}
