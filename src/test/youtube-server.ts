import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type Clock, systemClock, toPacificDay } from "@/core/time";
import type { UnitLimits } from "@/features/usage/units.service";
import type { UnitBucket } from "@/platform/port";
import {
  type Answer,
  createChannelItem,
  createPage,
  createSearchItem,
  createUploadItem,
  createVideoItem,
  ERRORS,
  type PublishedVideo,
  type ShownChannel,
} from "./youtube-answers";

/** What a call gets instead of its answer: another answer, none, or a part of one. */
export type Trouble = Answer | "silence" | "reset" | "cut off";

/** A received request. */
export interface Call {
  path: string;
  params: Record<string, string>;
  headers: IncomingMessage["headers"];
  /** HTTP status; 0 when the answer was not complete. */
  status: number;
}

export interface YoutubeServer {
  /** The value for YOUTUBE_API_URL. */
  readonly url: string;
  readonly apiKey: string;
  readonly calls: Call[];
  /** Number of calls of a path that got 200. */
  countAnswered(path: Call["path"]): number;
  /** Changes the given fields of a channel. */
  show(id: string, fields?: Partial<ShownChannel>): void;
  /** Removes the channel. */
  hide(id: string): void;
  publish(video: PublishedVideo): void;
  /** Faults of the next calls, one each; null lets a call succeed. */
  answerNext(...troubles: (Trouble | null)[]): void;
  /** Fault of every nth call; null ends it. */
  answerEvery(n: number, trouble: Trouble | null): void;
  /** The answer of every call of a path; null ends it. */
  answerPath(path: Call["path"], trouble: Trouble | null): void;
  /** Sets the units of a day, with none used. */
  allow(limits: Partial<UnitLimits>): void;
  /** Resets channels, videos, calls, faults and used units. */
  reset(): void;
  close(): Promise<void>;
}

interface Options {
  /** A free port by default. */
  port?: number;
  apiKey?: string;
  /** The clock of its day in Los Angeles. */
  clock?: Clock;
}

const BASE_PATH = "/youtube/v3";
const DOCUMENTED_LIMITS: UnitLimits = { search: 100, general: 10_000 };
const MAX_IDS = 50;
const PARTS = new Set([
  "id",
  "snippet",
  "statistics",
  "contentDetails",
  "status",
  "topicDetails",
  "liveStreamingDetails",
]);

/** Starts a stand-in of the YouTube Data API v3, with what is documented and used here. */
export async function startYoutubeServer(options: Options = {}): Promise<YoutubeServer> {
  const { port = 0, apiKey = "AIzaSyTestKeyOfTheStandIn_0123456789abc", clock = systemClock } = options;
  const world = createWorld(apiKey, clock);
  const http = createServer((request, response) => void serve(world, request, response));
  http.listen(port, "127.0.0.1");
  await once(http, "listening");
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    url: `${origin}${BASE_PATH}`,
    apiKey,
    ...world.verbs,
    close: async () => {
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
}

type Verbs = Omit<YoutubeServer, "url" | "apiKey" | "close">;

/** Commands that a spec in another process can send. */
const REMOTE_VERBS = ["show", "hide", "publish", "answerNext", "answerEvery", "answerPath", "allow", "reset"] as const;
type RemoteVerb = (typeof REMOTE_VERBS)[number];

/** Sends a command to the server of another process. @param url its `url` @returns its calls so far */
export async function controlYoutubeServer<V extends RemoteVerb>(
  url: string,
  verb: V,
  ...args: Parameters<Verbs[V]>
): Promise<Call[]> {
  const response = await fetch(new URL("/control", url), {
    method: "POST",
    body: JSON.stringify({ verb, args }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Call[];
}

interface World {
  verbs: Verbs;
  takeTrouble(path: string): Trouble | null;
  answer(path: string, params: URLSearchParams, key: string | null): Answer;
}

function createWorld(apiKey: string, clock: Clock): World {
  const channels = new Map<string, Partial<ShownChannel>>();
  const videos: (PublishedVideo & { id: string })[] = [];
  const troubled = new Map<string, Trouble>();
  const calls: Call[] = [];
  let queued: (Trouble | null)[] = [];
  let every: { n: number; trouble: Trouble } | null = null;
  let limits = DOCUMENTED_LIMITS;
  let spent = { day: "", search: 0, general: 0 };

  const spend = (bucket: UnitBucket): boolean => {
    const day = toPacificDay(clock.now());
    if (spent.day !== day) spent = { day, search: 0, general: 0 };
    if (spent[bucket] >= limits[bucket]) return false;
    spent[bucket] += 1;
    return true;
  };
  const verbs: Verbs = {
    calls,
    countAnswered: (path) => calls.filter((call) => call.path === path && call.status === 200).length,
    show: (id, fields) => void channels.set(id, { ...channels.get(id), ...fields }),
    hide: (id) => void channels.delete(id),
    publish: (video) => void videos.push({ id: `video${String(videos.length).padStart(6, "0")}`, ...video }),
    answerNext: (...troubles) => void queued.push(...troubles),
    answerEvery: (n, trouble) => {
      every = trouble && { n, trouble };
    },
    answerPath: (path, trouble) => void (trouble ? troubled.set(path, trouble) : troubled.delete(path)),
    allow: (more) => {
      limits = { ...limits, ...more };
      spent = { day: "", search: 0, general: 0 };
    },
    reset: () => {
      channels.clear();
      videos.length = 0;
      calls.length = 0;
      queued = [];
      every = null;
      troubled.clear();
      limits = DOCUMENTED_LIMITS;
      spent = { day: "", search: 0, general: 0 };
    },
  };
  return {
    verbs,
    takeTrouble: (path) =>
      troubled.get(path) ?? queued.shift() ?? (every && (calls.length + 1) % every.n === 0 ? every.trouble : null),
    answer(path, params, key) {
      if (!key) return ERRORS.missingKey;
      if (key !== apiKey) return ERRORS.wrongKey;
      const bucket = path === "search" ? "search" : "general";
      // An invalid request costs a unit too.
      if (!spend(bucket)) return bucket === "search" ? ERRORS.searchesExhausted : ERRORS.quotaExceeded;
      const parts = parseList(params, "part");
      if (parts.length === 0) return ERRORS.missingParameter("part");
      const strange = parts.find((part) => !PARTS.has(part));
      if (strange) return ERRORS.invalid("unknownPart", `'${strange}'`);
      if (path === "channels") return listChannels(channels, params, parts);
      if (path === "search") return searchVideos(videos, params);
      if (path === "playlistItems") return listUploads(videos, params);
      if (path === "videos") return listVideos(videos, params, parts);
      return ERRORS.notFound;
    },
  };
}

function listChannels(
  channels: Map<string, Partial<ShownChannel>>,
  params: URLSearchParams,
  parts: readonly string[],
): Answer {
  const [filter, ...others] = ["id", "forHandle", "forUsername", "mine"].filter((name) => params.has(name));
  if (!filter) return ERRORS.missingParameter("No filter selected. Expected one of: forHandle, id, forUsername, mine");
  if (others.length > 0) return ERRORS.invalid("incompatibleParameters", `${filter}, ${others}`);
  const requestedIds = parseList(params, filter);
  if (requestedIds.length > MAX_IDS) return ERRORS.invalid("invalidFilters", "id");
  const names = new Set(requestedIds.map(normalizeName));
  const found = [...channels].filter(([id, { handle, username }]) => {
    if (filter === "id") return requestedIds.includes(id);
    const name = filter === "forHandle" ? handle : username;
    return name && names.has(normalizeName(name));
  });
  // YouTube does not keep the requested order.
  const items = found.reverse().map(([id, shown]) => createChannelItem(id, shown, parts));
  return createPage("youtube#channelListResponse", items, params);
}

function searchVideos(videos: readonly PublishedVideo[], params: URLSearchParams): Answer {
  const words = (params.get("q") ?? "").toLowerCase();
  const after = params.get("publishedAfter") ?? "";
  if (after && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(after))
    return ERRORS.invalid("invalidSearchFilter", "publishedAfter");
  if (params.get("type") !== "video") return ERRORS.invalid("invalidSearchFilter", "type");
  const found = videos.filter(({ title, publishedAt }) => title.toLowerCase().includes(words) && publishedAt >= after);
  if (params.get("order") === "date") found.sort((one, other) => other.publishedAt.localeCompare(one.publishedAt));
  return createPage("youtube#searchListResponse", found.map(createSearchItem), params);
}

type KnownVideo = PublishedVideo & { id: string };

/** The newest first. A channel without uploads has no such playlist. */
function listUploads(videos: readonly KnownVideo[], params: URLSearchParams): Answer {
  const channelId = params.get("playlistId")?.replace(/^UU/, "UC");
  const found = videos
    .filter((video) => video.channelId === channelId)
    .sort((one, other) => other.publishedAt.localeCompare(one.publishedAt));
  if (found.length === 0) return ERRORS.playlistNotFound;
  const items = found.map((video) => createUploadItem(video.id, video));
  return createPage("youtube#playlistItemListResponse", items, params);
}

function listVideos(videos: readonly KnownVideo[], params: URLSearchParams, parts: readonly string[]): Answer {
  const ids = parseList(params, "id");
  if (ids.length === 0) return ERRORS.missingParameter("id");
  if (ids.length > MAX_IDS) return ERRORS.invalid("invalidFilters", "id");
  const items = videos
    .filter(({ id, isGone }) => ids.includes(id) && !isGone)
    .map((video) => createVideoItem(video.id, video, parts));
  return createPage("youtube#videoListResponse", items.reverse(), params);
}

/** The values of a parameter, repeated or joined by commas. */
function parseList(params: URLSearchParams, name: string): string[] {
  return params
    .getAll(name)
    .flatMap((value) => value.split(","))
    .filter(Boolean);
}

const normalizeName = (name: string) => name.replace(/^@/, "").toLowerCase();

async function serve(world: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://localhost");
  if (url.pathname === "/control") return control(world, request, response);
  const path = url.pathname.replace(`${BASE_PATH}/`, "");
  const trouble = world.takeTrouble(path);
  const call: Call = {
    path,
    params: Object.fromEntries(url.searchParams),
    headers: request.headers,
    status: 0,
  };
  world.verbs.calls.push(call);
  if (trouble === "silence") return;
  if (trouble === "reset") return void request.socket.resetAndDestroy();
  const key = request.headers["x-goog-api-key"] ?? url.searchParams.get("key");
  const answer = trouble && trouble !== "cut off" ? trouble : world.answer(path, url.searchParams, String(key ?? ""));
  const isZipped =
    /gzip/.test(request.headers["user-agent"] ?? "") && /gzip/.test(`${request.headers["accept-encoding"]}`);
  const body = isZipped ? gzipSync(answer.body) : Buffer.from(answer.body);
  response.writeHead(answer.status, {
    "Content-Type": "application/json; charset=UTF-8",
    ...(isZipped && { "Content-Encoding": "gzip" }),
    "Content-Length": body.length,
    ...answer.headers,
  });
  if (trouble === "cut off") {
    response.write(body.subarray(0, body.length / 2), () => request.socket.destroy());
    return;
  }
  call.status = answer.status;
  response.end(body);
}

async function control({ verbs }: World, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await request.setEncoding("utf8").toArray();
  const { verb, args } = JSON.parse(text.join("")) as { verb: RemoteVerb; args: [] };
  if (!REMOTE_VERBS.includes(verb)) return void response.writeHead(400).end(`no such verb: ${verb}`);
  (verbs[verb] as (...args: unknown[]) => void)(...args);
  response.end(JSON.stringify(verbs.calls));
}
