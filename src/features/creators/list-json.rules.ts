import {
  type Found,
  findReferences,
  getFoundName,
  isMention,
  type ListRecord,
  parseWhole,
  pickStrongest,
} from "./references.rules";
import { isChannelId } from "./rules";

const MAX_TEXT = 200;

/** Reads the channels of a JSON export, or of one JSON object a line; null for other texts. */
export function readJson(text: string): ListRecord[] | null {
  if (!/^[[{]/.test(text)) return null;
  const values = parseAll([text]) ?? parseAll(text.split("\n").filter((line) => line.trim() !== ""));
  return values?.flatMap(readValue).map((record, index) => ({ ...record, line: index + 1 })) ?? null;
}

function parseAll(texts: readonly string[]): unknown[] | null {
  try {
    return texts.map((text): unknown => JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * An object is one record, whose strongest value is its channel. What is in its arrays are records of their own, and so
 * are its members when they have different channels, or ids as names.
 */
function readValue(value: unknown): Omit<ListRecord, "line">[] {
  if (Array.isArray(value)) return value.flatMap(readValue);
  if (typeof value === "string") return findChannel([value]).map((found) => ({ text: value, found: [found] }));
  if (!isObject(value)) return [];
  if (Object.keys(value).some(isChannelId))
    return Object.entries(value).flatMap(([id, member]) => readValue({ id, member }));
  if (hasSeveralChannels(value)) return Object.values(value).flatMap(readValue);
  const lists = Object.values(value).filter(hasLists).flatMap(readValue);
  const texts = listTexts(value);
  const found = findChannel(texts);
  const isRecord = found.length > 0 || !hasLists(value);
  return isRecord ? [{ text: texts.join(" · ").slice(0, MAX_TEXT), found }, ...lists] : lists;
}

/** Whether inner objects name different channels. A subscription of the platform's API has one beside the subscriber's. */
function hasSeveralChannels(value: object): boolean {
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

/** The channel that a text is as a whole; without one, those that prose links to, such as a message of a chat. */
function findChannel(texts: readonly string[]): Found[] {
  const whole = pickChannels(texts.flatMap((text) => parseWhole(text) ?? []));
  if (whole.length > 0) return whole.slice(0, 1);
  return pickChannels(texts.flatMap(findReferences)).filter((each) => !isMention(each));
}

function pickChannels(found: readonly Found[]): Found[] {
  return pickStrongest(found).filter(({ parsed }) => parsed.kind !== "other");
}
