import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { addDays, systemClock, toUtcDay } from "@/core/time";
import { goal, type Report, round } from "./report";
import { endWithUs } from "./servers";

const CHANNELS = 1500;
const DAYS = 70;

const Replayed = z.object({
  channels: z.int(),
  days: z.int(),
  snapshots: z.int(),
  alerts: z.object({ total: z.int() }),
  seconds: z.number(),
});

/**
 * Measures `npm run replay` and `npm run backtest`.
 * @param file of histories; without one, as many invented readings as a goal is set for
 */
export async function benchReplay(file?: string): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  try {
    const csv = file ?? path.join(folder, "history.csv");
    if (!file) await writeFile(csv, inventHistory());
    const dataDir = path.join(folder, "data");
    const printed = await run("replay", csv, dataDir);
    const { channels, days, snapshots, alerts, seconds } = Replayed.parse(JSON.parse(printed));
    const startedAt = performance.now();
    await run("backtest", csv, dataDir);
    const backtest = (performance.now() - startedAt) / 1000;
    return {
      title: `Replay of ${file ? "the given histories" : "invented histories"}`,
      head: ["channels", "days", "readings", "alerts", "replay s", "backtest s"],
      rows: [[round(channels), days, snapshots, alerts.total, round(seconds), round(backtest)]],
      goals: [
        goal("seconds for 104,000 readings of a replay", (seconds * 104_000) / snapshots, { atMost: 15 }),
        goal("seconds for 104,000 readings of a backtest", (backtest * 104_000) / snapshots, { atMost: 5 }),
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a command on the histories. @returns what it printed */
async function run(command: "replay" | "backtest", csv: string, dataDir: string): Promise<string> {
  const child = spawn(process.execPath, [`dist/cli/${command}.js`, csv, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: dataDir },
  });
  endWithUs(child);
  const [printed] = await Promise.all([child.stdout.setEncoding("utf8").toArray(), once(child, "close")]);
  return printed.join("");
}

/** Channels that grow by a thousandth a day, and by a fifth on one day of the week. */
function inventHistory(): string {
  const first = addDays(toUtcDay(systemClock.now()), -DAYS);
  const lines = Array.from({ length: CHANNELS * DAYS }, (_, line) => {
    const [channel, day] = [Math.floor(line / DAYS), line % DAYS];
    const count = Math.floor((1000 + channel) * 1.001 ** day * 1.2 ** (channel % 100 === 0 ? day / 7 : 0));
    return `UC${String(channel).padStart(22, "0")},${addDays(first, day)},${count},${1000 * count},100`;
  });
  return ["channel_id,date,subscribers,views,videos", ...lines].join("\n");
}
