import { router, signedIn } from "@/features/procedures";
import { RequestFilter, RequestPage } from "./request-log.schema";
import { listRequests } from "./request-log.service";

export const requestsRouter = router({
  list: signedIn
    .input(RequestFilter)
    .output(RequestPage)
    .query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
