import { router, signedInProcedure } from "@/features/procedures";
import { MuteAnswer, MutedCreators, MuteInput } from "./mutes.schema";
import { listMutedCreators, muteCreator, unmuteCreator } from "./mutes.service";

export const mutesRouter = router({
  all: signedInProcedure
    .output(MutedCreators)
    .query(async ({ ctx }) => ({ creators: await listMutedCreators(ctx, ctx.key.id) })),
  mute: signedInProcedure
    .input(MuteInput)
    .output(MuteAnswer)
    .mutation(async ({ ctx, input }) => {
      await muteCreator(ctx, ctx.key.id, input.channel_id);
      return { is_muted: true };
    }),
  unmute: signedInProcedure
    .input(MuteInput)
    .output(MuteAnswer)
    .mutation(async ({ ctx, input }) => {
      await unmuteCreator(ctx, ctx.key.id, input.channel_id);
      return { is_muted: false };
    }),
});
