import { router, signedIn } from "@/features/procedures";
import { DigestSetting } from "./digests.schema";
import { setDigest, wantsDigest } from "./digests.service";

export const digestsRouter = router({
  get: signedIn.output(DigestSetting).query(async ({ ctx }) => ({ on: await wantsDigest(ctx, ctx.key.id) })),
  set: signedIn
    .input(DigestSetting)
    .output(DigestSetting)
    .mutation(async ({ ctx, input }) => {
      await setDigest(ctx, ctx.key.id, input.on);
      return input;
    }),
});
