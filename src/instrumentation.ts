import type { Instrumentation } from "next";

/** Called by Next once per server process, before the first request. */
export async function register(): Promise<void> {
  // Constants of the build, not settings. They keep the service out of the edge bundle that Next also makes, and out of what
  // `npm run dev` compiles before its first page: its launcher starts the service.
  if (process.env.NEXT_RUNTIME === "nodejs" && process.env.NODE_ENV === "production") {
    const { startService } = await import("@/server/start");
    await startService();
  }
}

/** Called by Next for whatever a page throws. Its own line names neither the request nor the path. */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { logPageFailure } = await import("@/server/ops/page-failures");
    logPageFailure(error, request);
  }
};
