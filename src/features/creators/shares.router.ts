import { router, signedInProcedure } from "@/features/procedures";
import { NewShare, RevokeAnswer, ShareInput, ShareParams, Shares } from "./shares.schema";
import { createShare, listShares, revokeShare } from "./shares.service";

export const sharesRouter = router({
  all: signedInProcedure.output(Shares).query(async ({ ctx }) => ({
    is_allowed: ctx.mayPublish,
    shares: ctx.mayPublish ? await listShares(ctx, ctx.key.id) : [],
  })),
  create: signedInProcedure
    .input(ShareInput)
    .output(NewShare)
    .mutation(({ ctx, input }) => createShare(ctx, ctx.key.id, input)),
  revoke: signedInProcedure
    .input(ShareParams)
    .output(RevokeAnswer)
    .mutation(async ({ ctx, input }) => {
      await revokeShare(ctx, ctx.key.id, input.id);
      return input;
    }),
});
