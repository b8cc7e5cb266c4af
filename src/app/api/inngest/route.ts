import { serveJobs } from "@/server/jobs";
import { openResource } from "@/server/rest";

// /api/inngest – the job functions, for the engine that runs them; every call must be signed
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openResource({
  GET: serveJobs,
  POST: serveJobs,
  PUT: serveJobs,
});
