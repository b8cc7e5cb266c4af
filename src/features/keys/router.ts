import { router, signedIn } from "@/core/trpc";
import { KeyFacts } from "./schema";
import { keyFacts } from "./service";

export const keysRouter = router({
  /** The key that the reader is signed in with. */
  mine: signedIn.output(KeyFacts).query(({ ctx }) => keyFacts(ctx, ctx.key.id)),
});
