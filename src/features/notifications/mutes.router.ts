import { router, signedInProcedure } from "@/features/procedures";
import { MuteInput } from "./mutes.schema";
import { listMutedCreators, muteCreator, unmuteCreator } from "./mutes.service";

export const mutesRouter = router({
  all: signedInProcedure.query(async ({ ctx }) => ({ creators: await listMutedCreators(ctx, ctx.key.id) })),
  mute: signedInProcedure.input(MuteInput).mutation(async ({ ctx, input }) => {
    await muteCreator(ctx, ctx.key.id, input.channel_id);
    return { is_muted: true };
  }),
  unmute: signedInProcedure.input(MuteInput).mutation(async ({ ctx, input }) => {
    await unmuteCreator(ctx, ctx.key.id, input.channel_id);
    return { is_muted: false };
  }),
});
