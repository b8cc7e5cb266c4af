import { readFileSync } from "node:fs";
import { Command } from "commander";
import { sql } from "drizzle-orm";
import { runCommand } from "@/cli/command";
import { systemClock } from "@/core/time";
import { listRecentRuns } from "@/features/snapshots/service";
import { createSamplePlatform, SAMPLE_NICHES } from "@/platform/sample";
import { type OwnService, startOwnService } from "./own-service";

const KEYS = 40;
const WORKERS = 6;
const MINUTE_MS = 60_000;

const program = new Command("soak")
  .description("Mixed load for a long time, a day of the service each minute. Run as: npm run soak")
  .option("--minutes <n>", "how long", Number, 30);

interface Answers {
  byStatus: Map<number, number>;
  failed: string[];
}

/** One client after another, each doing what clients do, until it is told to stop. */
async function use({ base, keys }: OwnService, worker: number, answers: Answers, isOver: () => boolean) {
  const platform = createSamplePlatform(systemClock);
  const channels = (await Promise.all(SAMPLE_NICHES.map((niche) => platform.search(niche)))).flat();
  for (let turn = worker; !isOver(); turn += WORKERS) {
    const [key = "", id, niche = ""] = [
      keys[turn % keys.length],
      channels[(turn * 7) % channels.length],
      SAMPLE_NICHES[turn % SAMPLE_NICHES.length],
    ];
    const ask = async (path: string, method = "GET", body?: object) => {
      const response = await fetch(base + path, {
        method,
        headers: { "X-API-Key": key, ...(body && { "Content-Type": "application/json" }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      answers.byStatus.set(response.status, (answers.byStatus.get(response.status) ?? 0) + 1);
      if (response.status >= 500)
        answers.failed.push(`${method} ${path} ${response.status} ${text.slice(0, 200)}`);
    };
    const session = async () => {
      await ask(`/api/discover?niche=${encodeURIComponent(niche)}`);
      await ask("/api/track", "POST", { channel_id: id });
      await ask(`/api/track/${id}/history`);
      await ask("/api/track?limit=100");
      await ask("/api/alerts?limit=100");
      await ask(
        "/api/alerts/email",
        turn % 5 ? "GET" : "POST",
        turn % 5 ? undefined : { email: `a${turn % 40}@mail.example` },
      );
      if (turn % 11 === 0) await ask(`/api/track/${id}`, "DELETE");
      await ask("/api/usage");
      await ask("/api/health");
      await ask("/api/openapi.json");
    };
    await session().catch((error) => answers.failed.push(String(error)));
  }
}

async function soak(minutes: number): Promise<void> {
  const service = await startOwnService(KEYS, systemClock.now().toISOString());
  const answers: Answers = { byStatus: new Map(), failed: [] };
  let isOver = false;
  service.child.once("exit", () => {
    if (!isOver) answers.failed.push("the service ended");
  });
  const workers = Array.from({ length: WORKERS }, (_, worker) => use(service, worker, answers, () => isOver));
  const line = (cells: readonly (string | number)[]) =>
    process.stdout.write(`${cells.map((cell) => String(cell).padStart(11)).join("")}\n`);
  line(["minute", "requests", "5xx/failed", "rss MiB", "heap MiB", "db conns", "read", "unread", "alerts"]);
  for (let minute = 1; minute <= minutes; minute++) {
    await service.order("next day");
    await new Promise((resolve) => setTimeout(resolve, MINUTE_MS));
    const heap = Number(await service.order("memory"));
    const [connections] = await service.db.execute<{ n: number }>(
      sql`select count(*)::int as n from pg_stat_activity where application_name = 'creator-growth'`,
    );
    const [run] = await listRecentRuns(service, 1);
    const requests = [...answers.byStatus.values()].reduce((sum, count) => sum + count, 0);
    line([
      minute,
      requests,
      answers.failed.length,
      residentMiB(service.child.pid ?? 0),
      (heap / 2 ** 20).toFixed(1),
      connections?.n ?? 0,
      run?.read ?? 0,
      Number(run?.planned) - Number(run?.read) - Number(run?.unavailable),
      run?.alerts ?? 0,
    ]);
  }
  isOver = true;
  await Promise.all(workers);
  await service.stop();
  const statuses = [...answers.byStatus].sort(([one], [other]) => one - other);
  process.stdout.write(`${statuses.map(([status, count]) => `${status}: ${count}`).join(", ")}\n`);
  for (const failure of answers.failed.slice(0, 20)) process.stderr.write(`${failure}\n`);
  if (answers.failed.length > 0) process.exitCode = 1;
}

function residentMiB(pid: number): string {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kilobytes) / 1024).toFixed(0);
}

await runCommand(async () => {
  program.parse();
  await soak(program.opts().minutes);
});
