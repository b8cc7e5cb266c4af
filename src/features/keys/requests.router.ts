import { router, signedIn } from "@/features/procedures";
import { RequestFilter, RequestPage } from "./requests.schema";
import { listRequests } from "./requests.service";

export const requestsRouter = router({
  list: signedIn
    .input(RequestFilter)
    .output(RequestPage)
    .query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
