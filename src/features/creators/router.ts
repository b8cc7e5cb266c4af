import { countedProcedure, router, signedInProcedure } from "@/features/procedures";
import { getRecentVideos } from "@/features/videos/service";
import { getChart, listHistory } from "./history.service";
import { previewChannels } from "./preview.service";
import {
  ChartInput,
  NeighborsInput,
  PreviewInput,
  ShareInput,
  ShareParams,
  TableTabsInput,
  TrackedQuery,
} from "./query.schema";
import { findTrackedId } from "./rows.service";
import { TrackedParams, TrackListInput, UntrackListInput } from "./schema";
import { getTrackedCreator, trackCreator, trackCreators, untrackCreator, untrackCreators } from "./service";
import { createShare, listShares, revokeShare } from "./shares.service";
import { countTableTabs, findNeighbors, getTableChoices, getTrackedTable } from "./table.service";

/** A procedure about one creator that the key tracks. */
const trackedProcedure = signedInProcedure
  .input(TrackedParams)
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { channelId: await findTrackedId(ctx, ctx.key.id, input.channel_id) } }),
  );

export const creatorsRouter = router({
  tracked: signedInProcedure.input(TrackedQuery).query(({ ctx, input }) => getTrackedTable(ctx, ctx.key.id, input)),
  neighbors: signedInProcedure
    .input(NeighborsInput)
    .query(({ ctx, input: { channel_id, ...query } }) => findNeighbors(ctx, ctx.key.id, channel_id, query)),
  tabs: signedInProcedure.input(TableTabsInput).query(({ ctx, input }) => countTableTabs(ctx, ctx.key.id, input)),
  choices: signedInProcedure.query(({ ctx }) => getTableChoices(ctx, ctx.key.id)),
  get: trackedProcedure.query(({ ctx }) => getTrackedCreator(ctx, ctx.key.id, ctx.channelId)),
  history: trackedProcedure.query(async ({ ctx, ctx: { channelId } }) => ({
    channel_id: channelId,
    history: await listHistory(ctx, ctx.key.id, channelId),
  })),
  /** Reads the videos from the platform once a day, and answers without them when it cannot. */
  videos: trackedProcedure.query(({ ctx }) => getRecentVideos(ctx, ctx.channelId)),
  chart: signedInProcedure.input(ChartInput).query(({ ctx, input }) => getChart(ctx, ctx.key.id, input.compared)),
  /** A mutation, because it can use look-ups of the key and must not be repeated automatically. Does not count. */
  preview: signedInProcedure
    .input(PreviewInput)
    .mutation(({ ctx, input }) => previewChannels(ctx, ctx.key.id, input.channels)),
  track: countedProcedure.input(TrackedParams).mutation(async ({ ctx, input }) => {
    const creator = await trackCreator(ctx, ctx.key.id, input.channel_id);
    return { message: `Now tracking ${creator.name}`, creator };
  }),
  trackMany: countedProcedure
    .input(TrackListInput)
    .mutation(({ ctx, input }) => trackCreators(ctx, ctx.key.id, input.channel_ids)),
  untrack: trackedProcedure.mutation(async ({ ctx, ctx: { channelId } }) => {
    await untrackCreator(ctx, ctx.key.id, channelId);
    return { message: "Tracking stopped. Alerts stay.", channel_id: channelId };
  }),
  untrackMany: signedInProcedure.input(UntrackListInput).mutation(async ({ ctx, input }) => {
    const channel_ids = await untrackCreators(ctx, ctx.key.id, input.channel_ids);
    return { message: "No longer tracked; their alerts stay", channel_ids };
  }),
});

export const sharesRouter = router({
  /** Links are not allowed with YouTube unless the operator states an amendment. */
  all: signedInProcedure.query(async ({ ctx }) => ({
    is_allowed: ctx.mayPublish,
    shares: ctx.mayPublish ? await listShares(ctx, ctx.key.id) : [],
  })),
  create: signedInProcedure.input(ShareInput).mutation(({ ctx, input }) => createShare(ctx, ctx.key.id, input)),
  revoke: signedInProcedure.input(ShareParams).mutation(async ({ ctx, input }) => {
    await revokeShare(ctx, ctx.key.id, input.id);
    return input;
  }),
});
