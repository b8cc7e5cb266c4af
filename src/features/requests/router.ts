import { router, signedIn } from "@/core/trpc";
import { RequestFilter, RequestPage } from "./schema";
import { listRequests } from "./service";

export const requestsRouter = router({
  list: signedIn
    .input(RequestFilter)
    .output(RequestPage)
    .query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
