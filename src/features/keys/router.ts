import { router, signedInProcedure } from "@/features/procedures";
import { audit } from "./audit.service";
import { requestRotation } from "./rotation.service";
import { getFirstSteps, getKeyFacts } from "./service";

export const keysRouter = router({
  /** The signed-in key. */
  mine: signedInProcedure.query(({ ctx }) => getKeyFacts(ctx, ctx.key.id)),
  /** Asks the operator for a new secret. */
  requestRotation: signedInProcedure.mutation(async ({ ctx }) => {
    const entry = { action: "rotation_requested", actor: "owner", source: ctx.clientAddress } as const;
    await audit(ctx, ctx.key.id, entry, () => requestRotation(ctx, ctx.key));
    return { requested: true };
  }),
  firstSteps: signedInProcedure.query(({ ctx }) => getFirstSteps(ctx, ctx.key.id)),
});
