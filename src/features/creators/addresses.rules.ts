import type { ChannelReference } from "@/platform/port";

/** A custom URL: the handle of the same name, which may belong to another channel. */
export interface Guess {
  kind: "guess";
  handle: string;
  /** The custom URL. */
  from: string;
}

/** A channel that is malformed, another page of the platform, or something of another site. */
type Fault = "malformed" | "page" | "foreign";

/** What a text names. */
export type Parsed =
  | ChannelReference
  | Guess
  /** No channel, but an address. The problem says what it is and what to do, or what it must be. */
  | { kind: "other"; fault: Fault; problem: string }
  | { kind: "none" };

/** The accepted forms of a channel, for messages and documents. */
export const CHANNEL_FORMS = "must be a channel id (UC and 22 characters), an @handle, or a youtube.com channel URL";
const HANDLE_FORM = "must be a handle: @ and 3 to 30 letters, digits, dots, hyphens or underscores";
const ID_FORM = "must be a channel id: UC and 22 characters, copied exactly";

const ID = "UC[A-Za-z0-9_-]{22}";
/** Letters, marks and digits beyond ASCII. It lists what may occur, as the syntax of engines differs for emoji and other pairs. */
const WIDE = String.raw`\u00aa\u00b2\u00b3\u00b5\u00b7\u00b9\u00ba\u00bc-\u00be\u00c0-\u1fff\u200c\u200d\u2027\u2070-\u209c\u2c00-\u2fff\u3005-\u3007\u3021-\u302f\u3031-\u303c\u303e-\u3296\u3298\u329a-\ud7ff\uf900-\ufdff\ufe10-\ufefe\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff66-\uffdc`;
const LETTER = `[-.0-9A-Z_a-z${WIDE}]`;
/** Scripts such as Chinese, Japanese and Korean have handles of one or two characters. */
const HANDLE = `(?:${LETTER}{3,30}|${LETTER}?[${WIDE}]${LETTER}?)`;
const PAGES =
  "about|channels|community|courses|featured|live|membership|playlists|podcasts|posts|releases|search|shorts|store|streams|videos";
/** A handle as copied, maybe with a page of its channel. */
const NAMED_HANDLE = String.raw`[@\uff20](${HANDLE})(?:/(?:${PAGES}))?/?(?:[?#].*)?`;
const HOST = "(?:(?:www|m|music|studio|gaming|gdata|[a-z]{2})\\.)?youtube\\.com|(?:www\\.)?youtube-nocookie\\.com";

/**
 * The accepted texts for the document, in the syntax that regular expression engines share. It allows every URL of the
 * platform: the service says what a URL is that names no channel.
 */
export const CHANNEL_PATTERN = `^\\s*(${ID}|${NAMED_HANDLE}|${ignoreCase(`(?:https?:)?(?://)?(?:${HOST})`)}[/?#].*)\\s*$`;

export const CHANNEL_ID = new RegExp(`^${ID}$`);
const PLAIN_HANDLE = new RegExp(`^${HANDLE}$`, "u");
const BARE_HANDLE = new RegExp(`^${NAMED_HANDLE}$`, "u");
/** An account of Mastodon and the like. */
const FEDIVERSE = /^[@＠][^@＠\s/]+[@＠][\p{L}\d-]+\.\S+$/u;
/** Letters of other scripts look like those of an id. */
const MISSPELT_ID = /^uc[\p{L}\w-]{16,30}$/iu;
const USER_NAME = /^[A-Za-z0-9_.-]{1,40}$/;
/** Host, path and query of a URL of the platform. */
const PLATFORM_URL = new RegExp(`^(?:https?:)?(?://)?(?:${HOST})(?:/([^?#]*))?(?:\\?([^#]*))?(?:#.*)?$`, "i");
const VIDEO_URL = /^(?:https?:\/\/)?(?:www\.)?youtu\.be\//i;
const URL_HOST = /^(?:[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?|(?=(?:[\p{L}\d-]+\.)+\p{L}{2,}[/?]))([^/?#:@]+)/iu;

const UPLOADS = /^UU(?:LF|SH|LV)?([\w-]{22})$/;
const VIDEOS = new Set("watch v e embed shorts live clip".split(" "));
const PLAYLISTS = new Set("playlist view_play_list".split(" "));
/** First segments of pages that are no custom URL. */
const RESERVED = new Set([
  ...VIDEOS,
  ...PLAYLISTS,
  ...`about account account_notifications ads api attribution_link browse channels create_channel creators explore fashion
  feed feeds gaming handle hashtag howyoutubeworks iframe_api intl jobs kids learning live_chat login logout movies music
  musicpremium new news oembed paid_memberships playables podcasts post premium press profile redirect reporthistory
  results s shopping signin source sports storefront subscription_center subscription_manager t subscribe
  subscribe_embed testtube trending tv upload video watch_videos xml yt`.split(/\s+/),
]);

/** Reads one token as a channel: an id, a handle, or any address of a channel on the platform. */
export function parseReference(input: string): Parsed {
  const text = input.trim();
  if (CHANNEL_ID.test(text)) return { kind: "id", id: text };
  if (FEDIVERSE.test(text)) return { kind: "other", fault: "foreign", problem: HANDLE_FORM };
  if (/^[@＠]/.test(text)) return parseHandle(BARE_HANDLE.exec(text)?.[1]);
  if (MISSPELT_ID.test(text)) return createMalformed(ID_FORM);
  const [url, path = "", query = ""] = PLATFORM_URL.exec(text) ?? [];
  if (url !== undefined) return parsePage(url, path.split("/").filter(Boolean).map(decode), new URLSearchParams(query));
  if (VIDEO_URL.test(text)) return createPage("watch");
  return parseForeign(text);
}

/** Whether a text is a handle without its @, as people type it. */
export function isHandleName(text: string): boolean {
  return PLAIN_HANDLE.test(text);
}

/** The problem of a text that names no channel. */
export function describeProblem(text: string): string {
  const parsed = parseReference(text);
  if (parsed.kind === "other") return parsed.problem;
  const word = text.trim();
  const meant = findUploader(word) ?? (isHandleName(word) ? `@${word}` : null);
  return meant ? `${CHANNEL_FORMS}. Did you mean ${meant}?` : CHANNEL_FORMS;
}

/** What is uncertain about a custom URL, and what to send. */
export function describeGuess({ handle }: Guess): string {
  return `a custom URL: that it belongs to ${handle} is a guess. Send ${handle} or the channel id`;
}

/** A problem as a sentence of its own. */
export function formatProblem(problem: string): string {
  return problem.startsWith("must") ? problem.replace("must", "Must") : `This is ${problem}`;
}

/** A problem after the name of a field. */
export function formatFieldProblem(problem: string): string {
  return problem.startsWith("must") ? problem : `must be a channel, not ${problem}`;
}

function parsePage(url: string, segments: readonly string[], query: URLSearchParams): Parsed {
  const [first = "", second = ""] = segments;
  const prefix = first.toLowerCase();
  const isPrefixed = ["channel", "c", "user"].includes(prefix);
  const name = isPrefixed ? second : first;
  if (CHANNEL_ID.test(name)) return { kind: "id", id: name };
  if (/^[@＠]/.test(name)) return parseHandle(PLAIN_HANDLE.exec(name.slice(1))?.[0]);
  if (prefix === "channel") return createMalformed(ID_FORM);
  if (prefix === "user") return parseUserName(second);
  if (!isPrefixed && (name === "" || RESERVED.has(prefix))) return parseQuery(prefix, segments, query);
  if (isHandleName(name)) return { kind: "guess", handle: toHandle(name), from: url };
  return createMalformed("a custom URL that cannot be resolved: open it and copy the channel's @handle");
}

/** The channel whose uploads a list has, by the list's id. */
export function findUploader(listId: string): string | undefined {
  const uploads = UPLOADS.exec(listId)?.[1];
  return uploads && `UC${uploads}`;
}

/** Feeds, embeds, lists of uploads and links to sign in name their channel in the query, pages of music in the path. */
function parseQuery(page: string, segments: readonly string[], query: URLSearchParams): Parsed {
  const uploader = findUploader(query.get("list") ?? query.get("playlist_id") ?? "");
  const ids = [...["channel_id", "channelid", "channel"].map((name) => query.get(name)), uploader, segments[1]];
  const id = ids.find((text) => text && CHANNEL_ID.test(text));
  if (id) return { kind: "id", id };
  // What a target leads to in turn is not followed.
  const path = (query.get("u") ?? query.get("next"))?.replace(/[?&](?:u|next)=.*/s, "");
  const target: Parsed = path?.startsWith("/") ? parseReference(`https://www.youtube.com${path}`) : { kind: "none" };
  if (target.kind !== "none" && target.kind !== "other") return target;
  const user = query.get("user") ?? query.get("add_user") ?? segments[segments.indexOf("users") + 1 || segments.length];
  if (user && !VIDEOS.has(page)) return parseUserName(user);
  return createPage(query.has("playlist_id") ? "playlist" : page);
}

export function createMalformed(problem: string): Extract<Parsed, { kind: "other" }> {
  return { kind: "other", fault: "malformed", problem };
}

function createPage(page: string): Parsed {
  const says = (problem: string): Parsed => ({ kind: "other", fault: "page", problem });
  if (VIDEOS.has(page)) return says("a video: use the URL of its channel");
  if (PLAYLISTS.has(page)) return says("a playlist: use the URL of its channel");
  if (page === "results") return says("a search: open a channel and use its URL");
  return says("a page of YouTube that names no channel: use a channel's URL");
}

function parseUserName(username: string): Parsed {
  if (USER_NAME.test(username)) return { kind: "username", username };
  return createMalformed("must be a user name of letters and digits");
}

function parseHandle(name: string | undefined): Parsed {
  return name === undefined ? createMalformed(HANDLE_FORM) : { kind: "handle", handle: toHandle(name) };
}

function toHandle(name: string): string {
  return `@${name.normalize("NFC")}`;
}

function parseForeign(text: string): Parsed {
  const host = URL_HOST.exec(text)?.[1];
  if (host === undefined) return { kind: "none" };
  return { kind: "other", fault: "foreign", problem: `a page of ${host}: only channels of YouTube can be tracked` };
}

/** Decodes percent-encoding; empty when it is malformed. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Patterns in documents have no flags. */
function ignoreCase(pattern: string): string {
  return pattern.replace(/\[a-z\]|[a-z]/g, (part) =>
    part === "[a-z]" ? "[A-Za-z]" : `[${part.toUpperCase()}${part}]`,
  );
}
