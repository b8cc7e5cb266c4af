import type { Instrumentation } from "next";

/** Called by Next once per server process, before the first request. */
export async function register(): Promise<void> {
  // A constant of the build, not a setting: it keeps the service out of the edge bundle that Next also makes.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startService } = await import("@/server/start");
    await startService();
  }
}

/** Called by Next for whatever a page throws. Its own line names neither the request nor the path. */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { logPageFailure: notePageFailure } = await import("@/server/start");
    notePageFailure(error, request);
  }
};
