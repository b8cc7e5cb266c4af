import { router, signedInProcedure } from "@/features/procedures";
import { RequestFilter, RequestPage } from "./request-log.schema";
import { listRequests } from "./request-log.service";

export const requestsRouter = router({
  list: signedInProcedure
    .input(RequestFilter)
    .output(RequestPage)
    .query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
