import { Session } from "node:inspector/promises";

/*
 * Loaded by bench/path.ts into the server: at each message it reports which functions ran since the last one.
 */
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
process.on("message", async () => {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  process.send(result.filter(({ url }) => /\/(dist|\.next\/server)\//.test(url)));
});
