import { router, signedIn } from "@/features/procedures";
import { FirstSteps, KeyFacts } from "./schema";
import { firstSteps, keyFacts } from "./service";

export const keysRouter = router({
  /** The signed-in key. */
  mine: signedIn.output(KeyFacts).query(({ ctx }) => keyFacts(ctx, ctx.key.id)),
  firstSteps: signedIn.output(FirstSteps).query(({ ctx }) => firstSteps(ctx, ctx.key.id)),
});
