import { z } from "zod";
import { counted, router, signedIn } from "@/features/procedures";
import { DiscoverQuery, ExplainedDiscovery } from "./schema";
import { discoverExplained } from "./service";

export const discoveryRouter = router({
  /** Niches worth suggesting; counts nothing. */
  suggestions: signedIn
    .output(z.object({ niches: z.array(z.string()) }))
    .query(({ ctx }) => ({ niches: [...ctx.platform.niches] })),
  /** A mutation because it counts: nothing may repeat it unasked. */
  discover: counted
    .input(DiscoverQuery)
    .output(ExplainedDiscovery)
    .mutation(({ ctx, input }) => discoverExplained(ctx, ctx.key, input)),
});
