import { countedProcedure, router, signedInProcedure } from "@/features/procedures";
import { getNicheAllowance } from "./budget.service";
import { getNicheMap } from "./map.service";
import { DiscoverQuery, ExplainedDiscovery, NicheAllowance, NicheCheck, NicheMap } from "./schema";
import { checkNiche, discoverAgain, discoverWithDetails } from "./service";

export const discoveryRouter = router({
  /** The indexed niches of the map. Does not count. */
  map: signedInProcedure.output(NicheMap).query(({ ctx }) => getNicheMap(ctx)),
  /** How many new niches the key can have searched today. Does not count. */
  allowance: signedInProcedure.output(NicheAllowance).query(({ ctx }) => getNicheAllowance(ctx, ctx.key)),
  /** Today's earlier answer to the same niche, or null. Does not count. */
  again: signedInProcedure
    .input(DiscoverQuery)
    .output(ExplainedDiscovery.nullable())
    .query(({ ctx, input }) => discoverAgain(ctx, ctx.key, input)),
  /** Whether a search would use a new niche, and the niche that may be meant. Does not count. */
  check: signedInProcedure
    .input(DiscoverQuery)
    .output(NicheCheck)
    .query(({ ctx, input }) => checkNiche(ctx, input)),
  /** A mutation, because it counts and must not be repeated automatically. */
  discover: countedProcedure
    .input(DiscoverQuery)
    .output(ExplainedDiscovery)
    .mutation(({ ctx, input }) => discoverWithDetails(ctx, ctx.key, input)),
});
