import { router, signedIn } from "@/features/procedures";
import { NewShare, RevokeAnswer, ShareInput, ShareParams, Shares } from "./shares.schema";
import { listShares, revokeShare, shareCreator } from "./shares.service";

export const sharesRouter = router({
  all: signedIn.output(Shares).query(async ({ ctx }) => ({
    is_allowed: ctx.mayPublish,
    shares: ctx.mayPublish ? await listShares(ctx, ctx.key.id) : [],
  })),
  create: signedIn
    .input(ShareInput)
    .output(NewShare)
    .mutation(({ ctx, input }) => shareCreator(ctx, ctx.key.id, input)),
  revoke: signedIn
    .input(ShareParams)
    .output(RevokeAnswer)
    .mutation(async ({ ctx, input }) => {
      await revokeShare(ctx, ctx.key.id, input.id);
      return input;
    }),
});
