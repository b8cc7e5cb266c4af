import { checkJobCaller, MAX_CALL_BYTES, serveJobs } from "@/server/api/inngest-calls";
import { openResource } from "@/server/api/rest";

/** Maximum seconds of a call on a serverless host; steps stay well below (see core/jobs). */
export const maxDuration = 300;

// /api/inngest – the job functions, for the engine that runs them; every call must be signed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/inngest",
  { GET: serveJobs, POST: serveJobs, PUT: serveJobs },
  { maxBodyBytes: MAX_CALL_BYTES, mayTakeLong: true, checkCaller: checkJobCaller },
);
