import path from "node:path";
import { sleep } from "@/core/time";
import { checkGoal, median, type Report, round } from "./report";
import { withFolder } from "./scratch";
import { readResidentMb, START, startServer } from "./servers";

/** After this, a start has loaded all that it loads after its first answer. */
const SETTLED_MS = 1500;

interface Start {
  ms: number;
  mb: number;
}

/** Measures the waits of an operator and a contributor: from the command to the first answer. */
export function benchStart({ port, rounds }: { port: number; rounds: number }): Promise<Report> {
  return withFolder(async (folder) => {
    const log = path.join(folder, "servers.log");
    const start = () => measureStart(START, { port, path: "/api/health", log, env: { DATA_DIR: folder } });
    // Creates the database, which an operator does once.
    await start();
    const starts: Start[] = [];
    for (let round = 0; round < rounds; round++) starts.push(await start());

    const env = { DATA_DIR: path.join(folder, "dev") };
    const startDev = () => measureStart(["npm", "run", "dev"], { port, path: "/", log, env });
    const [fresh, again] = [await startDev(), await startDev()];

    const startMs = median(starts.map(({ ms }) => ms));
    const startMb = median(starts.map(({ mb }) => mb));
    return {
      title: "From the command to the first answer",
      head: ["", "ms", "resident MB"],
      rows: [
        ["npm start, first 200", round(startMs), round(startMb)],
        ["npm run dev without data, first page", round(fresh.ms), "–"],
        ["npm run dev, first page", round(again.ms), "–"],
      ],
      goals: [
        checkGoal("npm start answers", startMs, { atMost: 1500 }, " ms"),
        checkGoal("npm run dev shows a page", again.ms, { atMost: 4000 }, " ms"),
        checkGoal("npm run dev shows its first page", fresh.ms, { atMost: 7500 }, " ms"),
      ],
    };
  });
}

async function measureStart(words: readonly string[], options: Parameters<typeof startServer>[1]): Promise<Start> {
  const { startMs, pid, stop } = await startServer(words, options);
  await sleep(SETTLED_MS);
  const mb = readResidentMb(pid);
  await stop();
  return { ms: startMs, mb };
}
