import { z } from "zod";
import { counted, router, signedIn } from "@/features/procedures";
import { DiscoverQuery, ExplainedDiscovery } from "./schema";
import { discoverAgain, discoverExplained } from "./service";

export const discoveryRouter = router({
  /** Suggested niches. Does not count. */
  suggestions: signedIn
    .output(z.object({ niches: z.array(z.string()) }))
    .query(({ ctx }) => ({ niches: [...ctx.platform.niches] })),
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
