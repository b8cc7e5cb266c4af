import { counted, router, signedIn } from "@/features/procedures";
import { creatorHistory } from "./history.service";
import {
  CreatorDetails,
  HistoryAnswer,
  TrackAnswer,
  TrackedParams,
  TrackInput,
  UntrackAnswer,
} from "./schema";
import { trackCreator, trackedCreator, untrackCreator } from "./service";
import { TrackedQuery, TrackedTable } from "./table.schema";
import { listTrackedWithTrend } from "./table.service";

export const creatorsRouter = router({
  tracked: signedIn
    .input(TrackedQuery)
    .output(TrackedTable)
    .query(({ ctx, input }) => listTrackedWithTrend(ctx, ctx.key.id, input)),
  get: signedIn
    .input(TrackedParams)
    .output(CreatorDetails)
    .query(({ ctx, input: { channel_id } }) => trackedCreator(ctx, ctx.key.id, channel_id)),
  history: signedIn
    .input(TrackedParams)
    .output(HistoryAnswer)
    .query(async ({ ctx, input: { channel_id } }) => ({
      channel_id,
      history: await creatorHistory(ctx, ctx.key.id, channel_id),
    })),
  track: counted
    .input(TrackInput)
    .output(TrackAnswer)
    .mutation(async ({ ctx, input }) => {
      const creator = await trackCreator(ctx, ctx.key.id, input.channel_id);
      return { message: `Now tracking ${creator.name}`, creator };
    }),
  untrack: signedIn
    .input(TrackedParams)
    .output(UntrackAnswer)
    .mutation(async ({ ctx, input: { channel_id } }) => {
      await untrackCreator(ctx, ctx.key.id, channel_id);
      return { message: "No longer tracked; its alerts stay", channel_id };
    }),
});
