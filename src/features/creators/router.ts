import { counted, router, signedIn } from "@/features/procedures";
import { ChartAnswer, ChartInput } from "./chart.schema";
import { chartOf } from "./chart.service";
import { creatorHistory } from "./history.service";
import { previewChannels } from "./preview.service";
import { trackedId } from "./rows.service";
import {
  CreatorDetails,
  HistoryAnswer,
  PreviewAnswer,
  PreviewInput,
  TrackAnswer,
  TrackedParams,
  TrackListAnswer,
  TrackListInput,
  UntrackAnswer,
  UntrackListAnswer,
  UntrackListInput,
} from "./schema";
import { trackCreator, trackCreators, trackedCreator, untrackCreator, untrackCreators } from "./service";
import { TrackedQuery, TrackedTable } from "./table.schema";
import { trackedTable } from "./table.service";

/** A procedure about one creator that the key tracks. */
const ofTracked = signedIn
  .input(TrackedParams)
  .use(async ({ ctx, input, next }) =>
    next({ ctx: { channelId: await trackedId(ctx, ctx.key.id, input.channel_id) } }),
  );

export const creatorsRouter = router({
  tracked: signedIn
    .input(TrackedQuery)
    .output(TrackedTable)
    .query(({ ctx, input }) => trackedTable(ctx, ctx.key.id, input)),
  get: ofTracked.output(CreatorDetails).query(({ ctx }) => trackedCreator(ctx, ctx.key.id, ctx.channelId)),
  history: ofTracked.output(HistoryAnswer).query(async ({ ctx, ctx: { channelId } }) => ({
    channel_id: channelId,
    history: await creatorHistory(ctx, ctx.key.id, channelId),
  })),
  chart: signedIn
    .input(ChartInput)
    .output(ChartAnswer)
    .query(({ ctx, input }) => chartOf(ctx, ctx.key.id, input.compared)),
  /** A mutation, because it can use look-ups of the key and must not be repeated automatically. Does not count. */
  preview: signedIn
    .input(PreviewInput)
    .output(PreviewAnswer)
    .mutation(({ ctx, input }) => previewChannels(ctx, ctx.key.id, input.channels)),
  track: counted
    .input(TrackedParams)
    .output(TrackAnswer)
    .mutation(async ({ ctx, input }) => {
      const creator = await trackCreator(ctx, ctx.key.id, input.channel_id);
      return { message: `Now tracking ${creator.name}`, creator };
    }),
  trackMany: counted
    .input(TrackListInput)
    .output(TrackListAnswer)
    .mutation(({ ctx, input }) => trackCreators(ctx, ctx.key.id, input.channel_ids)),
  untrack: ofTracked.output(UntrackAnswer).mutation(async ({ ctx, ctx: { channelId } }) => {
    await untrackCreator(ctx, ctx.key.id, channelId);
    return { message: "Tracking stopped. Alerts stay.", channel_id: channelId };
  }),
  untrackMany: signedIn
    .input(UntrackListInput)
    .output(UntrackListAnswer)
    .mutation(async ({ ctx, input }) => {
      const channel_ids = await untrackCreators(ctx, ctx.key.id, input.channel_ids);
      return { message: "No longer tracked; their alerts stay", channel_ids };
    }),
});
