import { gzipSync } from "node:zlib";
import { type Clock, systemClock, toPacificDay } from "@/core/time";
import type { UnitLimits } from "@/features/usage/units.service";
import type { UnitBucket } from "@/platform/port";
import { type FixedAnswer, startStandIn, toResponse } from "./stand-in";
import {
  createChannelItem,
  createPage,
  createSearchItem,
  createUploadItem,
  createVideoItem,
  ERRORS,
  type PublishedVideo,
  type ShownChannel,
} from "./youtube-answers";

/** A stand-in of the YouTube Data API v3. Its `url` is the value for YOUTUBE_API_URL. */
export type YoutubeServer = Awaited<ReturnType<typeof startYoutubeServer>>;

interface Options {
  /** A free port by default. */
  port?: number;
  apiKey?: string;
  /** The clock of its day in Los Angeles. */
  clock?: Clock;
}

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
export async function startYoutubeServer(options: Options = {}) {
  const { port, apiKey = "AIzaSyTestKeyOfTheStandIn_0123456789abc", clock = systemClock } = options;
  const world: World = { channels: new Map(), videos: [] };
  const units = createUnits(clock);
  const standIn = await startStandIn({
    port,
    basePath: "/youtube/v3",
    answer: ({ url, headers }, { path }) => {
      const { searchParams } = new URL(url);
      const key = headers.get("x-goog-api-key") ?? searchParams.get("key");
      const refusal = key === apiKey ? null : key ? ERRORS.wrongKey : ERRORS.missingKey;
      return zip(toResponse(refusal ?? units.refuse(path) ?? answerQuery(world, path, searchParams)), headers);
    },
  });
  const { channels, videos } = world;
  const { reset } = standIn;
  return Object.assign(standIn, {
    apiKey,
    /** Number of calls of a path that got 200. */
    countAnswered: (path: string) => standIn.calls.filter((call) => call.path === path && call.status === 200).length,
    /** Changes the given fields of a channel. */
    show: (id: string, fields?: Partial<ShownChannel>) => void channels.set(id, { ...channels.get(id), ...fields }),
    /** Removes the channel. */
    hide: (id: string) => void channels.delete(id),
    publish: (video: PublishedVideo) =>
      void videos.push({ id: `video${String(videos.length).padStart(6, "0")}`, ...video }),
    allow: units.allow,
    /** Resets channels, videos, calls, faults and used units. */
    reset(): void {
      channels.clear();
      videos.length = 0;
      units.allow(DOCUMENTED_LIMITS);
      reset();
    },
  });
}

interface World {
  channels: Map<string, Partial<ShownChannel>>;
  videos: KnownVideo[];
}

/** The units of a day in Los Angeles. */
function createUnits(clock: Clock) {
  let limits = DOCUMENTED_LIMITS;
  let spent = { day: "", search: 0, general: 0 };
  return {
    /** Sets the units of a day, with none used. */
    allow(more: Partial<UnitLimits>): void {
      limits = { ...limits, ...more };
      spent = { day: "", search: 0, general: 0 };
    },
    /** Spends the unit of a call, also of an invalid one. @returns the error when none is left */
    refuse(path: string): FixedAnswer | null {
      const bucket: UnitBucket = path === "search" ? "search" : "general";
      const day = toPacificDay(clock.now());
      if (spent.day !== day) spent = { day, search: 0, general: 0 };
      if (spent[bucket] >= limits[bucket]) return path === "search" ? ERRORS.searchesExhausted : ERRORS.quotaExceeded;
      spent[bucket] += 1;
      return null;
    },
  };
}

function answerQuery({ channels, videos }: World, path: string, params: URLSearchParams): FixedAnswer {
  const parts = parseList(params, "part");
  if (parts.length === 0) return ERRORS.missingParameter("part");
  const strange = parts.find((part) => !PARTS.has(part));
  if (strange) return ERRORS.invalid("unknownPart", `'${strange}'`);
  if (path === "channels") return listChannels(channels, params, parts);
  if (path === "search") return searchVideos(videos, params);
  if (path === "playlistItems") return listUploads(videos, params);
  if (path === "videos") return listVideos(videos, params, parts);
  return ERRORS.notFound;
}

/** Compresses an answer, as YouTube does only when the user agent says gzip too. */
async function zip(response: Response, requested: Headers): Promise<Response> {
  const isZipped = ["user-agent", "accept-encoding"].every((name) => requested.get(name)?.includes("gzip"));
  if (!isZipped) return response;
  const headers = { ...Object.fromEntries(response.headers), "content-encoding": "gzip" };
  return new Response(gzipSync(await response.text()), { status: response.status, headers });
}

function listChannels(
  channels: Map<string, Partial<ShownChannel>>,
  params: URLSearchParams,
  parts: readonly string[],
): FixedAnswer {
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

function searchVideos(videos: readonly PublishedVideo[], params: URLSearchParams): FixedAnswer {
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
function listUploads(videos: readonly KnownVideo[], params: URLSearchParams): FixedAnswer {
  const channelId = params.get("playlistId")?.replace(/^UU/, "UC");
  const found = videos
    .filter((video) => video.channelId === channelId)
    .sort((one, other) => other.publishedAt.localeCompare(one.publishedAt));
  if (found.length === 0) return ERRORS.playlistNotFound;
  const items = found.map((video) => createUploadItem(video.id, video));
  return createPage("youtube#playlistItemListResponse", items, params);
}

function listVideos(videos: readonly KnownVideo[], params: URLSearchParams, parts: readonly string[]): FixedAnswer {
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
