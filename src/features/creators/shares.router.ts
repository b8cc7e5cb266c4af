import { router, signedInProcedure } from "@/features/procedures";
import { ShareInput, ShareParams } from "./shares.schema";
import { createShare, listShares, revokeShare } from "./shares.service";

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
