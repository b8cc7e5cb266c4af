import { MAX_CALL_BYTES, serveJobs } from "@/server/inngest-calls";
import { openResource } from "@/server/rest";

/** Seconds a call may take on a host that ends longer ones; steps are kept well under it (see core/jobs.ts). */
export const maxDuration = 300;

// /api/inngest – the job functions, for the engine that runs them; every call must be signed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource(
  "/api/inngest",
  { GET: serveJobs, POST: serveJobs, PUT: serveJobs },
  { maxBodyBytes: MAX_CALL_BYTES, mayTakeLong: true },
);
