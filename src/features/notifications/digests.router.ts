import { router, signedInProcedure } from "@/features/procedures";
import { DigestSetting } from "./digests.schema";
import { hasDigest, setDigest } from "./digests.service";

export const digestsRouter = router({
  get: signedInProcedure.query(async ({ ctx }) => ({ on: await hasDigest(ctx, ctx.key.id) })),
  set: signedInProcedure.input(DigestSetting).mutation(async ({ ctx, input }) => {
    await setDigest(ctx, ctx.key.id, input.on);
    return input;
  }),
});
