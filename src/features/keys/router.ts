import { router, signedInProcedure } from "@/features/procedures";
import { FirstSteps, KeyFacts } from "./schema";
import { getFirstSteps, getKeyFacts } from "./service";

export const keysRouter = router({
  /** The signed-in key. */
  mine: signedInProcedure.output(KeyFacts).query(({ ctx }) => getKeyFacts(ctx, ctx.key.id)),
  firstSteps: signedInProcedure.output(FirstSteps).query(({ ctx }) => getFirstSteps(ctx, ctx.key.id)),
});
