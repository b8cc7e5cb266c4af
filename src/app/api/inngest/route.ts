import { MAX_CALL_BYTES, serveJobs } from "@/server/api/inngest-calls";
import type { RequestContext } from "@/server/api/request";
import { openResource } from "@/server/api/rest";

/** Maximum seconds of a call on a serverless host; steps stay well below (see core/jobs). */
export const maxDuration = 300;

const serve = ({ ctx, request, body }: RequestContext) => serveJobs(ctx, request, body);

// /api/inngest – the job functions, for the engine that runs them; every call must be signed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/inngest",
  { GET: serve, POST: serve, PUT: serve },
  { maxBodyBytes: MAX_CALL_BYTES, mayTakeLong: true },
);
