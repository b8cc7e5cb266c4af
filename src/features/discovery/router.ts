import { counted, router, signedIn } from "@/features/procedures";
import { nicheAllowance } from "./budget.service";
import { nicheMap } from "./map.service";
import { DiscoverQuery, ExplainedDiscovery, NicheAllowance, NicheMap } from "./schema";
import { discoverAgain, discoverExplained } from "./service";

export const discoveryRouter = router({
  /** The indexed niches of the map. Does not count. */
  map: signedIn.output(NicheMap).query(({ ctx }) => nicheMap(ctx)),
  /** How many new niches the key can have searched today. Does not count. */
  allowance: signedIn.output(NicheAllowance).query(({ ctx }) => nicheAllowance(ctx, ctx.key)),
  /** Today's earlier answer to the same niche, or null. Does not count. */
  again: signedIn
    .input(DiscoverQuery)
    .output(ExplainedDiscovery.nullable())
    .query(({ ctx, input }) => discoverAgain(ctx, ctx.key, input)),
  /** A mutation, because it counts and must not be repeated automatically. */
  discover: counted
    .input(DiscoverQuery)
    .output(ExplainedDiscovery)
    .mutation(({ ctx, input }) => discoverExplained(ctx, ctx.key, input)),
});
