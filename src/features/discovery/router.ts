import { AppError } from "@/core/errors";
import { countedProcedure, DEMO_REFUSAL, router, signedInProcedure } from "@/features/procedures";
import { getNicheMap } from "./map.service";
import { MAP_NICHES, toNicheIdentity } from "./niches.rules";
import { getNicheAllowance } from "./niches.service";
import { DiscoverQuery } from "./schema";
import { checkNiche, discoverAgain, discoverWithDetails } from "./service";

export const discoveryRouter = router({
  /** The indexed niches of the map. Does not count. */
  map: signedInProcedure.query(({ ctx }) => getNicheMap(ctx)),
  /** How many new niches the key can have searched today. Does not count. */
  allowance: signedInProcedure.query(({ ctx }) => getNicheAllowance(ctx, ctx.key)),
  /** Today's earlier answer to the same niche, or null. Does not count. */
  again: signedInProcedure.input(DiscoverQuery).query(({ ctx, input }) => discoverAgain(ctx, ctx.key, input)),
  /** Whether a search would use a new niche, and the niche that may be meant. Does not count. */
  check: signedInProcedure.input(DiscoverQuery).query(({ ctx, input }) => checkNiche(ctx, input)),
  /** A mutation, because it counts and must not be repeated automatically. */
  discover: countedProcedure
    .meta({ inDemo: true })
    .input(DiscoverQuery)
    .mutation(({ ctx, input }) => {
      // A niche off the map would have to be searched.
      if (ctx.key.isDemo && !MAP_NICHES.includes(toNicheIdentity(input.niche)))
        throw new AppError("forbidden", DEMO_REFUSAL);
      return discoverWithDetails(ctx, ctx.key, input);
    }),
});
