/** Called by Next once per server process, before the first request. */
export async function register(): Promise<void> {
  // A constant of the build, not a setting: it keeps the service out of the edge bundle that Next also makes.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { startService } = await import("@/server/start");
    await startService();
  }
}
