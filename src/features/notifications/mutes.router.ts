import { router, signedIn } from "@/features/procedures";
import { MuteAnswer, MutedCreators, MuteInput } from "./mutes.schema";
import { creatorsMuted, muteCreator, unmuteCreator } from "./mutes.service";

export const mutesRouter = router({
  all: signedIn
    .output(MutedCreators)
    .query(async ({ ctx }) => ({ creators: await creatorsMuted(ctx, ctx.key.id) })),
  mute: signedIn
    .input(MuteInput)
    .output(MuteAnswer)
    .mutation(async ({ ctx, input }) => {
      await muteCreator(ctx, ctx.key.id, input.channel_id);
      return { is_muted: true };
    }),
  unmute: signedIn
    .input(MuteInput)
    .output(MuteAnswer)
    .mutation(async ({ ctx, input }) => {
      await unmuteCreator(ctx, ctx.key.id, input.channel_id);
      return { is_muted: false };
    }),
});
