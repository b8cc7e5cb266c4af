import type { ChannelReference } from "@/platform/port";
import {
  CHANNEL_FORMS,
  CHANNEL_ID,
  createMalformed,
  decode,
  findUploader,
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

/** Parsed input of the search field. */
export type Recognised = { kind: "niche"; niche: string } | { kind: "channels"; found: Found[] };

/** Invisible characters that come with copied names. The joiners of Persian and Indic handles stay. */
export const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Variation_Selector}/gu;
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
const CUT_HANDLE = /^(?:com|\S*youtu[\w.]{0,20})\/+[@＠]\S/i;
const END_PUNCTUATION = /(?<=[\p{L}\p{M}\p{N}_=&/-]|^)[^\p{L}\p{M}\p{N}_=&/-]+$/u;
/** The text of a Markdown link, whose address says it better. */
const LINK_TEXT = /\[[^[\]]*\](?=\(https?:\/\/(?:\w+\.)?youtube\.com\/)/g;
/** A link that another site, an archive or a mail program wraps. */
const WRAPPED_URL = /[?&/](?:[\w-]+=)?(https?(?::|%3a)(?:\/|%2f){2}[^&#]+)/i;
const COMMENT = /^(?:#+|;|\/\/|--)\s|^\/\*|^<!--/;
/** At-rules, annotations, decorators, tags of documentation, and lines that end as only code does. */
const CODE =
  /^@[\w.-]+(?:\(|\s*\{)|[{}]$|[)"'\]];$|^(?:\*\s+)?@(?:Override|Deprecated|media|import|charset|keyframes|supports|property|param|returns?)\b(?![.-])/;
const MAX_QUOTED = 80;
const MAX_INPUT = 1000;
const NETWORKS =
  "twitter|insta(?:gram)?|ig|tik ?tok|threads|bluesky|bsky|mastodon|telegram|twitch|discord|facebook|fb|snapchat|github|linkedin";
/** Handles of other networks. */
const OTHER_NETWORK = new RegExp(
  String.raw`(?:\b(?:${NETWORKS})\s*(?:[:：–-]\s*)?|\bx:\s*)[@＠]\S+|(?<![\p{L}\p{N}./_-])[@＠][^\s@＠]+\s(?:on\s(?:${NETWORKS})(?=$|[.,;)])|\((?:${NETWORKS})\))`,
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
  return NETWORK_NAME.test(text) && !/youtube|\byt\b|:\/\/|\w\.\w/i.test(text);
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
const ID_ELSEWHERE = /^https?:\/\/(?=\S+$)[^/?#]+(?=[/?#])\S*?(?:\/channel\/|[?&]channel_id=)(UC[\w-]{22})(?=[/?&#]|$)/;

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

export function readTokens(text: string): Token[] {
  const plain = text.replace(INVISIBLE, "").replace(ESCAPED, "$1").replace(LINK_TEXT, "").replace(OTHER_NETWORK, " ");
  const tokens = plain.split(BOUNDARY).filter(Boolean);
  return tokens.map((token) => ({ token, found: MARK.test(token) ? findInToken(token) : null }));
}

/** What the tokens of a text name, each once. In comments and code it is doubtful, but a Markdown heading can be a link. */
export function toFound(text: string, tokens: readonly Token[]): Found[] {
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
    .replace(/^(_{1,3})(.+)\1$/, "$2")
    .replace(BULLET, "");
  const start = CHANNEL_ID.test(bare) ? 0 : bare.search(START);
  if (start === -1) return CUT_HANDLE.test(bare) ? { text: bare, parsed: createMalformed(CHANNEL_FORMS) } : null;
  const piece = bare.slice(start);
  const whole = parseWhole(piece);
  const link = whole && !isChannel(whole) && WRAPPED_URL.exec(piece)?.[1];
  const wrapped = link ? parseWhole(decode(link)) : null;
  return whole && wrapped && (isChannel(wrapped) || isForeign(whole)) ? wrapped : whole;
}
