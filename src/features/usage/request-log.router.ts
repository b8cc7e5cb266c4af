import { router, signedInProcedure } from "@/features/procedures";
import { RequestFilter } from "./request-log.schema";
import { listRequests } from "./request-log.service";

export const requestsRouter = router({
  list: signedInProcedure.input(RequestFilter).query(({ ctx, input }) => listRequests(ctx, ctx.key.id, input)),
});
