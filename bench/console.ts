import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DOCUMENT_BUDGET, SCRIPT_BUDGETS, weigh } from "../e2e/weight";
import { applyLoad, medianOf, type Seen } from "./load";
import { goal, type Report, round } from "./report";
import { startServer } from "./servers";

/** The server's part of a page, asked for by one visitor after another. */
const RESPONSE_MS = 50;

/** Measures what pages weigh and how fast the server answers with them. */
export async function benchConsole({
  rounds,
  seconds,
  port,
}: Record<"rounds" | "seconds" | "port", number>): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  const log = path.join(folder, "servers.log");
  try {
    const words = ["--import", "tsx", "src/cli/serve.ts", "start"];
    const env = { DATA_DIR: path.join(folder, "data") };
    const { base, pid, stop } = await startServer(words, { port, probe: "/api/health", log, env });
    try {
      const pages = [];
      for (const [page, budget] of Object.entries(SCRIPT_BUDGETS)) {
        const weight = await weigh(page, async (src) => (await fetch(base + src)).text());
        const runs: Seen[] = [];
        for (let round = 0; round < rounds; round++)
          runs.push(await applyLoad({ url: base + page, keys: [""], connections: 1, seconds, pid }));
        pages.push({ page, budget, ...weight, ...medianOf(runs) });
      }
      return {
        title: "Pages: what a first visit loads, and the server's answer",
        head: ["page", "document kB", "scripts kB", "p50 ms", "p99 ms"],
        rows: pages.map(({ page, documentKb, scriptsKb, p50, p99 }) => [
          page,
          round(documentKb),
          round(scriptsKb),
          round(p50),
          round(p99),
        ]),
        goals: pages.flatMap(({ page, budget, documentKb, scriptsKb, p50 }) => [
          goal(`${page}: scripts, at most ${budget} kB`, scriptsKb, { atMost: budget }, " kB"),
          goal(
            `${page}: document, at most ${DOCUMENT_BUDGET} kB`,
            documentKb,
            { atMost: DOCUMENT_BUDGET },
            " kB",
          ),
          goal(`${page}: p50, at most ${RESPONSE_MS} ms`, p50, { atMost: RESPONSE_MS }, " ms"),
        ]),
      };
    } finally {
      await stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
