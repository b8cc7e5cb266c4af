import { defineEndpoint, MAX_AGE } from "@/features/endpoint";
import { formatPerTier } from "@/features/usage/tiers.rules";
import { queryHistory } from "./history.service";
import { queryTracked } from "./list.service";
import { acceptGuess, createGuessError, describeResolution } from "./lookups.service";
import { getCreator } from "./preview.service";
import { CreatorAnswer, EXAMPLE_CREATOR, EXAMPLE_TRACKED, TrackedListPage, TrackedListQuery } from "./query.schema";
import { findTracked, findTrackedId } from "./rows.service";
import {
  CHANNELS_PER_REQUEST,
  HISTORY_CSV,
  HistoryAnswer,
  HistoryQuery,
  TrackAnswer,
  TrackedAnswer,
  TrackedParams,
  TrackInput,
  UntrackAnswer,
} from "./schema";
import { trackCreator, trackCreators, untrackCreator } from "./service";

const { channel_id } = EXAMPLE_CREATOR;
const UNTRACKED = "Tracking stopped. Alerts stay.";

const track = defineEndpoint(
  {
    method: "POST",
    path: "/api/track",
    id: "trackCreator",
    tag: "Tracking",
    summary: "Track a creator, or up to 50 at once",
    description:
      "The service takes a first snapshot at once. Safe to repeat: `tracked_since` stays that of the first time.\n\n" +
      `\`channel_ids\` tracks up to ${CHANNELS_PER_REQUEST} channels. \`results\` has a \`creator\`, or a \`code\` and an \`error\`, for each ` +
      "`input` in the order you sent them: some can fail while others are tracked.\n\n" +
      "A custom URL (`/c/Name`, `/Name`) is refused with the handle it may belong to, unless you send `accept_guess: true`.\n\n" +
      "Each handle or user name uses one of your look-ups per UTC day " +
      `(${formatPerTier("lookupsPerDay")}). Channel ids use none.`,
    body: TrackInput,
    answer: TrackAnswer,
    errors: [404],
    example: {
      body: { channel_id: EXAMPLE_CREATOR.handle },
      answer: {
        message: `Now tracking ${EXAMPLE_CREATOR.name}`,
        creator: { ...EXAMPLE_TRACKED, last_snapshot_at: null },
      },
    },
  },
  async ({ ctx, key, body: { channel_id: one, channel_ids = [], accept_guess } }) => {
    if (!one) return trackCreators(ctx, key.id, channel_ids, accept_guess);
    if (one.kind === "guess" && !accept_guess) throw createGuessError(one);
    const creator = await trackCreator(ctx, key.id, acceptGuess(one));
    const doubt = one.kind === "guess" ? `, a guess by the name in ${one.from}` : "";
    return { message: `Now tracking ${creator.name}${doubt}`, creator, ...describeResolution(one) };
  },
);

const list = defineEndpoint(
  {
    method: "GET",
    path: "/api/track",
    id: "listTrackedCreators",
    tag: "Tracking",
    summary: "Creators your key tracks, last tracked first",
    description:
      "To mirror the list, read with `after`: in the order of channel ids, and you never miss or repeat a creator that stays " +
      "tracked. Then `pagination.total` is the number of creators after that one.",
    query: TrackedListQuery,
    answer: TrackedListPage,
    errors: [404],
    example: {
      query: { sort: "-score", limit: 20 },
      answer: {
        pagination: { total: 1, offset: 0, limit: 20, has_more: false },
        creators: [EXAMPLE_TRACKED],
        next_after: null,
      },
    },
  },
  ({ ctx, key, query }) => queryTracked(ctx, key.id, query),
);

const get = defineEndpoint(
  {
    method: "GET",
    path: "/api/track/{channel_id}",
    id: "getTrackedCreator",
    tag: "Tracking",
    summary: "A creator your key tracks",
    description: "Returns 404 when your key does not track the creator.",
    params: TrackedParams,
    answer: TrackedAnswer,
    example: { params: { channel_id }, answer: { creator: EXAMPLE_TRACKED } },
  },
  async ({ ctx, key, params }) => {
    const id = await findTrackedId(ctx, key.id, params.channel_id);
    return { creator: await findTracked(ctx, key.id, id) };
  },
);

const getAny = defineEndpoint(
  {
    method: "GET",
    path: "/api/creators/{channel_id}",
    id: "getCreator",
    tag: "Discovery",
    summary: "A creator, also one you do not track",
    description:
      "Returns what the service read within the last day, otherwise it uses one of your look-ups of the UTC day. Without " +
      "one left it returns what is stored: see `counts_day`. `score_basis` is `profile` until someone tracks the creator.",
    params: TrackedParams,
    answer: CreatorAnswer,
    maxAge: MAX_AGE,
    example: {
      params: { channel_id },
      answer: { creator: EXAMPLE_CREATOR, is_tracked: true, counts_day: "2026-11-19" },
    },
  },
  ({ ctx, key, params }) => getCreator(ctx, key.id, params.channel_id),
);

const getHistory = defineEndpoint(
  {
    method: "GET",
    path: "/api/track/{channel_id}/history",
    id: "getCreatorHistory",
    tag: "Tracking",
    summary: "Daily snapshots of a creator since your key started tracking it",
    description: "Oldest first. A day without a snapshot is absent.",
    params: TrackedParams,
    query: HistoryQuery,
    answer: HistoryAnswer,
    maxAge: MAX_AGE,
    csv: {
      columns: HISTORY_CSV,
      example: "day,subscribers,views,videos\r\n2026-11-18,629,23694,17\r\n2026-11-19,640,24310,18\r\n",
    },
    example: {
      params: { channel_id },
      answer: {
        channel_id,
        history: [
          { day: "2026-11-18", subscribers: 629, views: 23_694, videos: 17 },
          { day: "2026-11-19", subscribers: 640, views: 24_310, videos: 18 },
        ],
      },
    },
  },
  async ({ ctx, key, params, query }) =>
    queryHistory(ctx, key.id, await findTrackedId(ctx, key.id, params.channel_id), query),
);

const untrack = defineEndpoint(
  {
    method: "DELETE",
    path: "/api/track/{channel_id}",
    id: "untrackCreator",
    tag: "Tracking",
    summary: "Untrack a creator",
    description: "Its alerts stay. Returns 404 when your key does not track the creator, so also the second time.",
    params: TrackedParams,
    answer: UntrackAnswer,
    example: {
      params: { channel_id },
      answer: { message: UNTRACKED, channel_id },
    },
  },
  async ({ ctx, key, params }) => {
    const id = await findTrackedId(ctx, key.id, params.channel_id);
    await untrackCreator(ctx, key.id, id);
    return { message: UNTRACKED, channel_id: id };
  },
);

export const creatorEndpoints = [getAny, track, list, get, getHistory, untrack];
