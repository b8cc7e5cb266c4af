import { MAX_CALL_BYTES, serveJobs } from "@/server/inngest-calls";
import type { RequestContext } from "@/server/request-context";
import { openResource } from "@/server/rest";

/** Seconds a call may take on a host that ends longer ones; steps are kept well under it (see core/jobs.ts). */
export const maxDuration = 300;

const serve = ({ ctx, request, body }: RequestContext) => serveJobs(ctx, request, body);

// /api/inngest – the job functions, for the engine that runs them; every call must be signed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/inngest",
  { GET: serve, POST: serve, PUT: serve },
  { maxBodyBytes: MAX_CALL_BYTES, mayTakeLong: true },
);
