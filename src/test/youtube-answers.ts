import type { FixedAnswer } from "./stand-in";

/** A channel of the platform. */
export interface ShownChannel {
  name: string;
  /** With its `@`. */
  handle: string;
  /** The legacy username, which few channels have. */
  username: string;
  country: string;
  thumbnailUrl: string;
  /** Exact; shown rounded down to three significant figures. */
  subscribers: number;
  hidden: boolean;
  views: number;
  videos: number;
  /** Fields of the item that override the generated ones. */
  item: Record<string, unknown>;
}

export interface PublishedVideo {
  channelId: string;
  title: string;
  /** ISO 8601 without fractions of a second. */
  publishedAt: string;
  /** Eleven characters; given by the stand-in when left out. */
  id?: string;
  /** Null when hidden. */
  views?: number | null;
  likes?: number;
  comments?: number;
  /** A Short of up to 180; 600 when left out. */
  seconds?: number;
  /** A stream or premiere, with its scheduled or actual start. */
  broadcast?: { state: "upcoming" | "live" | "ended"; start: string };
  /** Private or deleted: in the list of uploads alone. */
  isGone?: boolean;
  /** Fields of the item that override the generated ones. */
  item?: Record<string, unknown>;
}

/** An item of a playlist of uploads. */
export function createUploadItem(id: string, { channelId, title, publishedAt }: PublishedVideo): object {
  return {
    kind: "youtube#playlistItem",
    etag: "e",
    id: `item-${id}`,
    snippet: { publishedAt, channelId, title, resourceId: { kind: "youtube#video", videoId: id } },
    contentDetails: { videoId: id, videoPublishedAt: publishedAt },
  };
}

/** A video resource with the requested parts. */
export function createVideoItem(id: string, video: PublishedVideo, parts: readonly string[]): object {
  const { channelId, title, publishedAt, views = 1000, likes, comments, seconds = 600, broadcast, item } = video;
  const start = broadcast?.state === "upcoming" ? "scheduledStartTime" : "actualStartTime";
  const resource: Record<string, unknown> = {
    snippet: {
      publishedAt,
      channelId,
      title,
      liveBroadcastContent: broadcast && broadcast.state !== "ended" ? broadcast.state : "none",
      thumbnails: { medium: { url: `https://i.ytimg.com/vi/${id}/mqdefault.jpg`, width: 320, height: 180 } },
    },
    statistics: {
      ...(views !== null && { viewCount: String(views) }),
      ...(likes !== undefined && { likeCount: String(likes) }),
      ...(comments !== undefined && { commentCount: String(comments) }),
    },
    contentDetails: {
      duration: broadcast && broadcast.state !== "ended" ? "P0D" : formatDuration(seconds),
      definition: "hd",
    },
    ...(broadcast && { liveStreamingDetails: { [start]: broadcast.start } }),
  };
  const requestedParts = Object.entries(resource).filter(([part]) => parts.includes(part));
  return { kind: "youtube#video", etag: "e", id, ...Object.fromEntries(requestedParts), ...item };
}

/** `PT1H2M3S` */
function formatDuration(seconds: number): string {
  const units = [`${Math.floor(seconds / 3600)}H`, `${Math.floor(seconds / 60) % 60}M`, `${seconds % 60}S`];
  return `PT${units.filter((unit) => !unit.startsWith("0")).join("")}`;
}

/** A channel resource with the requested parts. */
export function createChannelItem(id: string, shown: Partial<ShownChannel>, parts: readonly string[]): object {
  const { name = `Channel ${id.slice(-4)}`, handle, country, hidden = false, item } = shown;
  const { subscribers = 1000, views = 10_000, videos = 10 } = shown;
  const picture = shown.thumbnailUrl ?? "https://yt3.ggpht.example/picture";
  const resource: Record<string, unknown> = {
    snippet: {
      title: name,
      description: "What the channel says of itself",
      ...(handle && { customUrl: handle.toLowerCase() }),
      publishedAt: "2015-02-03T04:05:06Z",
      thumbnails: Object.fromEntries(
        Object.entries({ default: 88, medium: 240, high: 800 }).map(([size, width]) => [
          size,
          { url: `${picture}=s${width}`, width, height: width },
        ]),
      ),
      localized: { title: name, description: "" },
      ...(country && { country }),
    },
    statistics: {
      viewCount: String(views),
      // The platform sends 0 for a hidden count.
      subscriberCount: hidden ? "0" : String(roundDown(subscribers)),
      hiddenSubscriberCount: hidden,
      videoCount: String(videos),
    },
  };
  const requestedParts = Object.entries(resource).filter(([part]) => parts.includes(part));
  return { kind: "youtube#channel", etag: "e", id, ...Object.fromEntries(requestedParts), ...item };
}

export function createSearchItem({ channelId, title, publishedAt }: PublishedVideo, at: number): object {
  return {
    kind: "youtube#searchResult",
    etag: "e",
    id: { kind: "youtube#video", videoId: `video${String(at).padStart(6, "0")}` },
    snippet: {
      publishedAt,
      channelId,
      title,
      description: "",
      channelTitle: "",
      liveBroadcastContent: "none",
    },
  };
}

/** One page of a list: five items by default, and no `items` field when there are none. */
export function createPage(kind: string, all: readonly object[], params: URLSearchParams): FixedAnswer {
  const size = Number(params.get("maxResults") ?? 5);
  if (!(size >= 0 && size <= 50)) return ERRORS.invalid("invalidParameter", "maxResults");
  const token = params.get("pageToken");
  const from = token === null ? 0 : Number(/^page(\d+)$/.exec(token)?.[1] ?? Number.NaN);
  if (Number.isNaN(from)) return ERRORS.invalid("invalidPageToken", "pageToken");
  const items = all.slice(from, from + size);
  const isLast = from + size >= all.length;
  const body = {
    kind,
    etag: "e",
    ...(!isLast && { nextPageToken: `page${from + size}` }),
    pageInfo: { totalResults: all.length, resultsPerPage: size },
    ...(items.length > 0 && { items }),
  };
  return { status: 200, body };
}

interface ErrorOptions {
  domain?: string;
  status?: string;
  /** Reason in the newer form, beside the older one. */
  detail?: string;
  headers?: Record<string, string>;
}

/** An error in the form of Google's older APIs. */
export function createError(code: number, reason: string, message: string, options: ErrorOptions = {}) {
  const { domain = "youtube.parameter", status, detail, headers } = options;
  const body = {
    error: {
      code,
      message,
      errors: [{ message, domain, reason }],
      ...(status && { status }),
      ...(detail && {
        details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: detail, domain: "googleapis.com" }],
      }),
    },
  };
  return { status: code, headers, body };
}

const QUOTA_MESSAGE =
  'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';
const SEARCH_MESSAGE =
  "Quota exceeded for quota metric 'Search Queries' and limit 'Search Queries per day' of service 'youtube.googleapis.com' for consumer 'project_number:123456789012'.";
const MINUTE_MESSAGE =
  "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service 'youtube.googleapis.com' for consumer 'project_number:123456789012'.";
const DISABLED_MESSAGE =
  "YouTube Data API v3 has not been used in project 123456789012 before or it is disabled. Enable it, then retry.";
const global = { domain: "global" };
const exhausted = { ...global, status: "RESOURCE_EXHAUSTED", detail: "RATE_LIMIT_EXCEEDED" };
const denied = { ...global, status: "PERMISSION_DENIED" };

/** Every refusal of the API. */
export const ERRORS = {
  quotaExceeded: createError(403, "quotaExceeded", QUOTA_MESSAGE, { domain: "youtube.quota" }),
  dailyLimitExceeded: createError(403, "dailyLimitExceeded", "Daily Limit Exceeded", {
    domain: "usageLimits",
  }),
  searchesExhausted: createError(429, "rateLimitExceeded", SEARCH_MESSAGE, exhausted),
  perMinute: createError(429, "rateLimitExceeded", MINUTE_MESSAGE, exhausted),
  rateLimit: createError(403, "rateLimitExceeded", "Rate Limit Exceeded", { domain: "usageLimits" }),
  wrongKey: createError(400, "badRequest", "API key not valid. Please pass a valid API key.", {
    ...global,
    status: "INVALID_ARGUMENT",
    detail: "API_KEY_INVALID",
  }),
  wrongKeyOfOld: createError(400, "keyInvalid", "Bad Request", { domain: "usageLimits" }),
  missingKey: createError(
    403,
    "forbidden",
    "Method doesn't allow unregistered callers (callers without established identity).",
    denied,
  ),
  disabled: createError(403, "accessNotConfigured", DISABLED_MESSAGE, {
    ...denied,
    domain: "usageLimits",
    detail: "SERVICE_DISABLED",
  }),
  blocked: createError(403, "forbidden", "The provided API key has an IP address restriction.", {
    ...denied,
    detail: "API_KEY_IP_ADDRESS_BLOCKED",
  }),
  suspended: createError(403, "forbidden", "Permission denied: Consumer 'api_key:AIza' has been suspended.", {
    ...denied,
    detail: "CONSUMER_SUSPENDED",
  }),
  forbidden: createError(403, "forbidden", "Access forbidden.", { domain: "youtube.common" }),
  playlistNotFound: createError(
    404,
    "playlistNotFound",
    "The playlist identified with the request's parameter cannot be found.",
    {
      domain: "youtube.playlistItem",
    },
  ),
  channelNotFound: createError(404, "channelNotFound", "Channel not found.", { domain: "youtube.channel" }),
  backend: createError(503, "backendError", "Backend Error", global),
  notFound: { status: 404, body: "<!DOCTYPE html><title>Error 404 (Not Found)!!1</title>" },
  html: { status: 502, body: "<!DOCTYPE html><title>Error 502 (Server Error)!!1</title>" },
  invalid: (reason: string, location: string) =>
    createError(400, reason, `The request specifies an invalid value: ${location}.`),
  missingParameter: (name: string) => createError(400, "missingRequiredParameter", name),
};

/** Three significant figures, from 1,000 up. */
function roundDown(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 3);
  return Math.floor(count / unit) * unit;
}
