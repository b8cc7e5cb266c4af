import { pino } from "pino";
import type { ManualClock } from "@/core/time";
import { dailyAllowances } from "@/db/schema";
import { createLedger } from "@/features/usage/units.service";
import { createYoutubePlatform } from "@/platform/youtube";
import { createTestDatabase } from "./database";
import { startYoutubeServer } from "./youtube-server";

/** The YouTube adapter with its own ledger and a stand-in of YouTube. */
export type YoutubeBench = Awaited<ReturnType<typeof createYoutubeBench>>;

export async function createYoutubeBench(clock: ManualClock) {
  const database = await createTestDatabase();
  const server = await startYoutubeServer({ clock });
  const { db } = database;
  const limits = { search: 100, general: 200 };
  /** Its log. */
  const logged: string[] = [];
  /** Milliseconds it would wait between tries. It does not wait in tests. */
  const waits: number[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => logged.push(line) });
  const ledger = createLedger({ db, clock, log }, { limits, reserve: async () => 0 });
  const createPlatform = (more = {}) =>
    createYoutubePlatform({
      apiKey: server.apiKey,
      url: server.url,
      ledger,
      clock,
      log,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      random: () => 0.5,
      ...more,
    });
  const bench = {
    platform: createPlatform(),
    ledger,
    server,
    logged,
    waits,
    /** Resets the adapter, the ledger and the stand-in. */
    async reset(more?: { url?: string; timeout?: number }): Promise<void> {
      server.reset();
      await db.delete(dailyAllowances);
      logged.length = 0;
      waits.length = 0;
      bench.platform = createPlatform(more);
    },
    async close(): Promise<void> {
      await server.stop();
      await database.close();
    },
  };
  return bench;
}
