import { type ListRecord, offerHandle } from "./list-lines.rules";
import {
  type Found,
  findReferences,
  getFoundName,
  isChannel,
  isForeign,
  isMention,
  parseWhole,
  pickStrongest,
} from "./references.rules";
import { isChannelId } from "./rules";

const MAX_TEXT = 200;
/** Members with what a person wrote in a chat. Other prose, such as the description of a video, adds no channel. */
const MESSAGE = /^(text|content|message|body|desc)$/i;
/** Members that say what a person follows, beside what was only watched, searched or saved. */
const SUBSCRIPTIONS = /^(local)?subscriptions$/i;
/** Names that JSON-LD reserves. */
const RESERVED = /^@(?:context|graph|id|type)$/;

type Part = Omit<ListRecord, "line">;

/** Reads the channels of a JSON export, or of one JSON object a line; null for other texts. */
export function readJson(text: string): ListRecord[] | null {
  if (!/^[[{]/.test(text)) return null;
  const records = readAll([text]) ?? readAll(text.split("\n").filter((line) => line.trim() !== ""));
  return records?.map((record, index) => ({ ...record, line: index + 1 })) ?? null;
}

/** Null for texts that are not JSON, or nested too deeply to be read. */
function readAll(texts: readonly string[]): Part[] | null {
  try {
    return texts.map((text): unknown => JSON.parse(text)).flatMap((value) => [value].flat().flatMap(readItem));
  } catch {
    return null;
  }
}

/** A value of the outermost list. There, a text without a channel is kept as a record. */
function readItem(value: unknown): Part[] {
  const records = readValue(value);
  if (records.length > 0 || typeof value !== "string") return records;
  const offered = offerHandle(value);
  return [{ text: value, found: offered ? [offered] : [] }];
}

/**
 * An object is one record, whose strongest value is its channel. What is in its arrays are records of their own, and so
 * are its members when they have different channels, or ids as names.
 */
function readValue(value: unknown): Part[] {
  if (Array.isArray(value)) return value.flatMap(readValue);
  if (typeof value === "string")
    return findLinksOrErrors([value], [value]).map((found) => ({ text: value, found: [found] }));
  if (!isObject(value)) return [];
  if (Object.keys(value).some(isChannelId) || hasNamedMembers(value))
    return Object.entries(value).flatMap(([id, member]) => readValue({ id, member }));
  const subscribed = Object.entries(value).filter(([name, member]) => SUBSCRIPTIONS.test(name) && hasItems(member));
  if (subscribed.length > 0) return readSubscriptions(value, Object.fromEntries(subscribed));
  if (hasSeveralChannels(value)) return Object.values(value).flatMap(readValue);
  const texts = listTexts(value);
  const own = findChannel(texts);
  const isBeside = ({ found }: Part) => own.length > 0 && found.some(isForeign);
  const lists = Object.values(value)
    .filter(hasLists)
    .flatMap(readValue)
    .filter((part) => !isBeside(part));
  const found = own.length > 0 ? own : findLinksOrErrors(listMessages(value), texts);
  const isRecord = found.length > 0 || !hasLists(value);
  return isRecord ? [{ text: texts.join(" · ").slice(0, MAX_TEXT), found }, ...lists] : lists;
}

/** The subscriptions of an export. Other channels in it become records without one. */
function readSubscriptions(value: object, subscribed: object): Part[] {
  const own = Object.values(subscribed).flatMap(readValue);
  const names = new Set(own.flatMap(({ found }) => found.filter(isChannel).map(getFoundName)));
  const rest = Object.entries(value).filter(([name]) => !Object.hasOwn(subscribed, name));
  const others = rest.flatMap(([, member]) => readValue(member));
  if (names.size === 0) return [...own, ...others];
  const leftOut = others
    .flatMap(({ found }) => found)
    .filter((found) => isChannel(found) && !names.has(getFoundName(found)));
  return [...own, ...leftOut.map(({ text }) => ({ text, found: [], reason: "Not among the subscriptions" }))];
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** Whether the members have channels as their names. */
function hasNamedMembers(value: object): boolean {
  const isNamed = ([name, member]: [string, unknown]) =>
    typeof member !== "string" && !RESERVED.test(name) && findChannel([name]).length > 0;
  return Object.values(value).length > 0 && Object.entries(value).every(isNamed);
}

/**
 * Whether inner objects, or all members, name different channels. A subscription of the platform's API has one beside the
 * subscriber's.
 */
function hasSeveralChannels(value: object): boolean {
  const members: unknown[] = Object.values(value);
  if (members.every((member) => typeof member === "string" && parseWhole(member) !== null))
    return pickChannels(listTexts(value).flatMap((text) => parseWhole(text) ?? [])).length > 1;
  const inner = Object.values(value).filter((member) => isObject(member) && !hasLists(member));
  return new Set(inner.flatMap((member) => findChannel(listTexts(member)).map(getFoundName))).size > 1;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasLists(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && Object.values(value).some(hasLists));
}

/** The texts of an object and of its inner objects. A subscription of the platform's API also names the subscriber. */
function listTexts(value: object): string[] {
  if ("resourceId" in value && isObject(value.resourceId)) return listTexts(value.resourceId);
  return Object.values(value).flatMap((member: unknown) => {
    if (typeof member === "string") return [member];
    return isObject(member) && !hasLists(member) ? listTexts(member) : [];
  });
}

function listMessages(value: object): string[] {
  return Object.entries(value).flatMap(([name, member]) =>
    MESSAGE.test(name) && typeof member === "string" ? [member] : [],
  );
}

/** The strongest channel that one of the texts is as a whole. */
function findChannel(texts: readonly string[]): Found[] {
  return pickChannels(texts.flatMap((text) => parseWhole(text) ?? [])).slice(0, 1);
}

/** The channel that a text is as a whole, those that its prose links to, or else what other texts name in vain. */
function findLinksOrErrors(linking: readonly string[], others: readonly string[]): Found[] {
  const whole = findChannel(linking);
  if (whole.length > 0) return whole;
  const links = pickChannels(linking.flatMap(findReferences)).filter((each) => !isMention(each));
  return links.length > 0 ? links : pickStrongest(others.flatMap((text) => parseWhole(text) ?? [])).slice(0, 1);
}

function pickChannels(found: readonly Found[]): Found[] {
  return pickStrongest(found).filter(isChannel);
}
