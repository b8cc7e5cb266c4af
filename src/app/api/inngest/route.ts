import type { ServedJobs } from "@/core/jobs";
import { appContext } from "@/server/context";

type Handler = ServedJobs["GET"];

// /api/inngest – the job functions, for the engine that runs them; every call must be signed
export const GET: Handler = (...call) => appContext().jobs.GET(...call);
export const POST: Handler = (...call) => appContext().jobs.POST(...call);
export const PUT: Handler = (...call) => appContext().jobs.PUT(...call);
