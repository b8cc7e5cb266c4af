import { readEnv } from "@/core/env";
import { createLog } from "@/core/log/log";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { type Clock, sleep, systemClock, toDate, toUtcDay } from "@/core/time";
import { connect } from "@/db/client";
import { getRunSummary } from "@/features/snapshots/service";
import { CHANNELS_PER_CALL, type VideoPlatform } from "@/platform/port";
import { createJobs } from "@/server/jobs";
import { createServiceContext } from "@/server/services";

/**
 * Makes one daily run against a platform in this process, and prints time and memory as JSON. It is a process of its
 * own so that its memory is that of the run. Arguments: the database's connection string and the start as ISO 8601.
 */
const ONE_GROWING_IN = 100;
const POLL_MS = 50;

/** Creates a platform on which every hundredth channel has grown by a fifth, the others by a thousandth. */
function createBenchPlatform(): VideoPlatform & { calls: number } {
  return {
    name: "sample",
    searchesAreFree: true,
    calls: 0,
    async listChannels(ids) {
      if (ids.length > CHANNELS_PER_CALL) throw new RangeError("too many ids");
      this.calls += 1;
      const channels = ids.map((channelId) => {
        const number = Number(channelId.slice(2));
        const growth = number % ONE_GROWING_IN === 0 ? 1.2 : 1.001;
        const counts = { subscribers: Math.floor((1000 + number) * growth), views: 1000 * number, videos: 100 };
        return { channelId, name: `Channel ${number}`, handle: null, thumbnailUrl: null, country: null, ...counts };
      });
      return { channels, unread: [] };
    },
    find: async () => null,
    listRecentVideos: async () => [],
    search: async () => [],
  };
}

/** Creates a clock that starts at an instant, so that the time of the benchmark does not matter. */
function createClock(start: Date): Clock {
  const offset = start.getTime() - systemClock.now().getTime();
  return { now: () => toDate(systemClock.now().getTime() + offset) };
}

const [url = "", start = ""] = process.argv.slice(2);
const { db, close } = connect(url);
const log = createLog({ level: "error", to: "stderr" });
const platform = createBenchPlatform();
const mailer = { name: "outbox" as const, send: async () => null };
const monitoring = createLogMonitoring(log);
const clock = createClock(toDate(start));
const ctx = createServiceContext(readEnv(), { db, log, platform, mailer, monitoring, clock });
const day = toUtcDay(ctx.clock.now());
const { engine, requestRun } = await createJobs(ctx);
const idleRss = process.memoryUsage.rss();
const cpu = process.cpuUsage();
const startedAt = performance.now();
engine.start();
await requestRun();
let summary = await getRunSummary(ctx, day);
// Not until the engine is idle: deliveries take longer, at the pace that email services allow.
while (!summary?.finished_at) {
  await sleep(POLL_MS);
  summary = await getRunSummary(ctx, day);
}
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(cpu);
const cpuSeconds = (user + system) / 1e6;
const [idleMb, peakMb] = [idleRss / 2 ** 20, process.resourceUsage().maxRSS / 1024];
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds, idleMb, peakMb, calls: platform.calls, ...summary })}\n`);
await engine.stop();
await close();
process.exit();
