import { formatProblem, isHandleName } from "./addresses.rules";
import { type Found, INVISIBLE, isChannel, isMention, readTokens, toFound } from "./references.rules";

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

/** Why a handle beside a channel is left out. */
export const MENTIONED = "Mentioned beside another channel";

/** The line below an annotation or decorator. */
const DECLARATION = /^(?:export |async )*(?:def|class|fun|function)\s|^(?=\S+\s)[^@＠]*[{};]$/;
const LONE_HANDLE = /^[@＠][\w.]+$/;
/** The share of lines of one word that makes a text a list of names. */
const MIN_WORDS = 0.5;
/** What people put around the names of a list. */
const AROUND_WORD = /^(?:(?:[-*+•]|\d+[.)])\s+)?["']?|(?<!["',;])["',;]+$/g;
/** A copied message of a chat with its time and sender. */
const CHAT_LINE =
  /^(?:\[[^\]]{0,30}\d:\d\d[^\]]{0,10}\]|[\d/., ]+\d:\d\d(?::\d\d)?(?:\s[AP]M)?\s-)\s?([^:,;|][^:]{0,39})(?::\s|$)/i;
/** The sender and the time on a line above the message. */
const CHAT_HEAD =
  /^(\S.{0,40}?)\W+(?:(?:today|yesterday|heute|gestern|hoy|ayer|hier)(?: at| um| à)?\s|\d[\d/.-]*,?\s)?\d?\d:\d\d(?:\s(?:[AP]M|Uhr))?$/i;
/** A channel with its count, as the platform's page of subscriptions shows it above its description. */
const SHOWN_CHANNEL = /^[@＠][^\s•]+\s*[•·‧]\s*\d/;
/** The first line of a list of names. */
const LIST_HEADING =
  /^(?:handles?|channels?|(?:user)?names?|creators?|subscriptions?|youtube|urls?|links?|kanal|kanäle|abos?|canal|canales)$/i;
/** What cells without a name have. */
const NO_NAME = /^(?:none|null|nil|n\.a\.?|unknown|undefined|tbd|yes|true|false)$/i;
/** Characters that a chat is detected in. */
const SAMPLE = 1000;

/** Reads a text line by line. What a line names beside its channels becomes a record without one, so that it is not lost. */
export function readLines(text: string): ListRecord[] {
  const lines = text.split("\n").map((line) => line.trim());
  const people = listSenders(lines);
  const isShownPage = lines.filter((line) => SHOWN_CHANNEL.test(line)).length > 1;
  return lines.flatMap((line, index): ListRecord[] => {
    if (line === "") return [];
    const isDecorator = LONE_HANDLE.test(line) && DECLARATION.test(lines[index + 1] ?? "");
    const isDescription = isShownPage && /\s/.test(line) && !SHOWN_CHANNEL.test(line);
    const { found, others } = readLine(line);
    const at = { line: index + 1, text: line };
    const leftOut = others.map(({ text, parsed }) => {
      const reason = parsed.kind === "other" ? formatProblem(parsed.problem) : MENTIONED;
      return { ...at, text, found: [], reason };
    });
    const isDoubtful = (each: Found) =>
      isMention(each) && (isDecorator || isDescription || people.has(each.text.slice(1).toLowerCase()));
    return [{ ...at, found: found.map((each) => (isDoubtful(each) ? { ...each, doubtful: line } : each)) }, ...leftOut];
  });
}

/** Whether a text is a copied chat: its first line, or half of its lines, begin with a time and a sender. */
export function isChat(text: string): boolean {
  const lines = text
    .slice(0, SAMPLE)
    .replace(INVISIBLE, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const messages = lines.filter((line) => CHAT_LINE.test(line));
  return messages.includes(lines[0] ?? "") || messages.length * 2 >= lines.length;
}

/** The names that a chat calls its people by; none in other texts. One line that ends in a time makes no chat. */
function listSenders(lines: readonly string[]): Set<string> {
  const marked = lines.flatMap((line) => CHAT_LINE.exec(line)?.[1] ?? []);
  const heads = lines.flatMap((line) => (CHAT_LINE.test(line) ? [] : (CHAT_HEAD.exec(line)?.[1] ?? [])));
  const names = [...marked, ...(heads.length > 1 ? heads : [])].map((name) => name.toLowerCase());
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

/** Offers the bare words of a list as handles, when most of its lines are one word. */
export function offerWords(records: readonly ListRecord[]): ListRecord[] {
  const words = records.map(({ text }) => text.replace(AROUND_WORD, ""));
  if (words.filter((word) => !/\s/.test(word)).length < records.length * MIN_WORDS) return [...records];
  return records.map((record, index) => {
    const isNamed = record.found.length > 0 || record.reason || (index === 0 && LIST_HEADING.test(record.text));
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
