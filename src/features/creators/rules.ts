import { parseUrl } from "@/core/http/url";
import type { ChannelReference } from "@/platform/port";

/** Maximum creators that a chart compares with its own. */
export const MAX_COMPARED = 4;

export const CHANNEL_ID = /^UC[A-Za-z0-9_-]{22}$/;
const HANDLE = /^@[\p{L}\p{M}\p{N}._·-]{3,30}$/u;
const USERNAME = /^[A-Za-z0-9]{1,40}$/;
const HOSTS = new Set(["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"]);

/** The accepted forms of a channel, for messages and documents. */
export const CHANNEL_FORMS = "must be a channel id (UC and 22 characters), an @handle, or a youtube.com channel URL";

/** Whether a text has the form of a channel id. */
export function isChannelId(text: string): boolean {
  return CHANNEL_ID.test(text);
}

/** Whether a host is one of the platform's sites. */
export function isPlatformHost(hostname: string): boolean {
  return HOSTS.has(hostname);
}

/** URL of a channel on the platform. */
export function toChannelUrl(channelId: string): string {
  return `https://www.youtube.com/channel/${channelId}`;
}

/**
 * Parses a channel id, an `@handle` or a channel URL.
 * @returns null for anything else, including URLs of other sites
 */
export function parseChannelReference(input: string): ChannelReference | null {
  const text = input.trim();
  // A handle copied with a page of its channel: `@handle/videos`.
  const [name = ""] = text.startsWith("@") ? text.split("/") : [text];
  return parseIdOrHandle(name) ?? parseChannelUrl(text);
}

/** One name for each channel reference, the same for a handle in any case. */
export function getReferenceName(reference: ChannelReference): string {
  if (reference.kind === "id") return reference.id;
  return reference.kind === "handle" ? reference.handle.toLowerCase() : `user/${reference.username.toLowerCase()}`;
}

function parseIdOrHandle(text: string): ChannelReference | null {
  if (isChannelId(text)) return { kind: "id", id: text };
  if (HANDLE.test(text)) return { kind: "handle", handle: text };
  return null;
}

function parseChannelUrl(text: string): ChannelReference | null {
  const url = parseUrl(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || !["http:", "https:"].includes(url.protocol)) return null;
  if (!isPlatformHost(url.hostname) || url.port || url.username) return null;
  const [first = "", second = ""] = url.pathname.split("/").filter(Boolean).map(decode);
  if (first.startsWith("@")) return parseIdOrHandle(first);
  if (first === "channel") return isChannelId(second) ? { kind: "id", id: second } : null;
  if (first === "user") return USERNAME.test(second) ? { kind: "username", username: second } : null;
  // The API does not resolve custom URLs. Since 2022 they equal the handle unless the owner chose another one.
  if (first === "c") return parseIdOrHandle(`@${second}`);
  return null;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
