import { countedProcedure, router, signedInProcedure } from "@/features/procedures";
import { RecentVideos } from "@/features/videos/schema";
import { getRecentVideos } from "@/features/videos/service";
import { ChartAnswer, ChartInput } from "./chart.schema";
import { getChart } from "./chart.service";
import { listHistory } from "./history.service";
import { PreviewAnswer, PreviewInput } from "./preview.schema";
import { previewChannels } from "./preview.service";
import { findTrackedId } from "./rows.service";
import {
  CreatorDetails,
  HistoryAnswer,
  TrackAnswer,
  TrackedParams,
  TrackListAnswer,
  TrackListInput,
  UntrackAnswer,
  UntrackListAnswer,
  UntrackListInput,
} from "./schema";
import { getTrackedCreator, trackCreator, trackCreators, untrackCreator, untrackCreators } from "./service";
import {
  Neighbors,
  NeighborsInput,
  TableChoices,
  TableTabs,
  TableTabsInput,
  TrackedQuery,
  TrackedTable,
} from "./table.schema";
import { countTableTabs, findNeighbors, getTableChoices, getTrackedTable } from "./table.service";

/** A procedure about one creator that the key tracks. */
const trackedProcedure = signedInProcedure
  .input(TrackedParams)
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { channelId: await findTrackedId(ctx, ctx.key.id, input.channel_id) } }),
  );

export const creatorsRouter = router({
  tracked: signedInProcedure
    .input(TrackedQuery)
    .output(TrackedTable)
    .query(({ ctx, input }) => getTrackedTable(ctx, ctx.key.id, input)),
  neighbors: signedInProcedure
    .input(NeighborsInput)
    .output(Neighbors.nullable())
    .query(({ ctx, input: { channel_id, ...query } }) => findNeighbors(ctx, ctx.key.id, channel_id, query)),
  tabs: signedInProcedure
    .input(TableTabsInput)
    .output(TableTabs)
    .query(({ ctx, input }) => countTableTabs(ctx, ctx.key.id, input)),
  choices: signedInProcedure.output(TableChoices).query(({ ctx }) => getTableChoices(ctx, ctx.key.id)),
  get: trackedProcedure.output(CreatorDetails).query(({ ctx }) => getTrackedCreator(ctx, ctx.key.id, ctx.channelId)),
  history: trackedProcedure.output(HistoryAnswer).query(async ({ ctx, ctx: { channelId } }) => ({
    channel_id: channelId,
    history: await listHistory(ctx, ctx.key.id, channelId),
  })),
  /** Reads the videos from the platform once a day, and answers without them when it cannot. */
  videos: trackedProcedure.output(RecentVideos).query(({ ctx }) => getRecentVideos(ctx, ctx.channelId)),
  chart: signedInProcedure
    .input(ChartInput)
    .output(ChartAnswer)
    .query(({ ctx, input }) => getChart(ctx, ctx.key.id, input.compared)),
  /** A mutation, because it can use look-ups of the key and must not be repeated automatically. Does not count. */
  preview: signedInProcedure
    .input(PreviewInput)
    .output(PreviewAnswer)
    .mutation(({ ctx, input }) => previewChannels(ctx, ctx.key.id, input.channels)),
  track: countedProcedure
    .input(TrackedParams)
    .output(TrackAnswer.required({ creator: true }))
    .mutation(async ({ ctx, input }) => {
      const creator = await trackCreator(ctx, ctx.key.id, input.channel_id);
      return { message: `Now tracking ${creator.name}`, creator };
    }),
  trackMany: countedProcedure
    .input(TrackListInput)
    .output(TrackListAnswer)
    .mutation(({ ctx, input }) => trackCreators(ctx, ctx.key.id, input.channel_ids)),
  untrack: trackedProcedure.output(UntrackAnswer).mutation(async ({ ctx, ctx: { channelId } }) => {
    await untrackCreator(ctx, ctx.key.id, channelId);
    return { message: "Tracking stopped. Alerts stay.", channel_id: channelId };
  }),
  untrackMany: signedInProcedure
    .input(UntrackListInput)
    .output(UntrackListAnswer)
    .mutation(async ({ ctx, input }) => {
      const channel_ids = await untrackCreators(ctx, ctx.key.id, input.channel_ids);
      return { message: "No longer tracked; their alerts stay", channel_ids };
    }),
});
