import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { DOCUMENT_BUDGET, measureWeight, PAGES, SCRIPT_BUDGETS } from "../e2e/weight";
import { applyLoad, medianOf, type Seen } from "./load";
import { type Goal, goal, type Report, round } from "./report";
import { type Server, START, startServer } from "./servers";

/** The server's part of a page, asked for by one visitor after another. */
const RESPONSE_MS = 50;
const KINDS = ["open", "console"] as const;

interface ConsoleOptions {
  rounds: number;
  seconds: number;
  port: number;
}

/** Measures what pages weigh and how fast the server answers with them, those of the console signed in. */
export async function benchConsole({ port, ...options }: ConsoleOptions): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-bench-"));
  const env = { DATA_DIR: path.join(folder, "data") };
  try {
    const log = path.join(folder, "servers.log");
    const server = await startServer(START, { port, probe: "/api/health", log, env });
    try {
      return await measurePages(server, await signIn(server, env), options);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const Issued = z.object({ key: z.string() });

/** @returns the cookie of a session of a new key */
async function signIn({ base }: Server, env: Record<string, string>): Promise<string> {
  const words = [
    "--import",
    "tsx",
    "src/cli/keys.ts",
    "issue",
    "--label",
    "Bench",
    "--tier",
    "pro",
    "--json",
  ];
  const { stdout } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  const answer = await fetch(`${base}/api/trpc/sessions.signIn`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify(Issued.parse(JSON.parse(stdout))),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (!answer.ok || !cookie) throw new Error(`signing in was answered ${answer.status}`);
  return cookie.slice(0, cookie.indexOf(";"));
}

async function measurePages(
  { base, pid }: Server,
  session: string,
  { rounds, seconds }: Pick<ConsoleOptions, "rounds" | "seconds">,
): Promise<Report> {
  const rows: string[][] = [];
  const goals: Goal[] = [];
  for (const kind of KINDS)
    for (const page of PAGES[kind]) {
      const headers = { cookie: page === "/sign-in" || kind === "open" ? "" : session };
      const weight = await measureWeight(page, async (src) => (await fetch(base + src, { headers })).text());
      const runs: Seen[] = [];
      for (let run = 0; run < rounds; run++)
        runs.push(await applyLoad({ url: base + page, senders: [headers], connections: 1, seconds, pid }));
      const { p50, p99 } = medianOf(runs);
      rows.push([page, ...[weight.documentKb, weight.scriptsKb, p50, p99].map(round)]);
      const budget = SCRIPT_BUDGETS[kind];
      goals.push(
        goal(`${page}: scripts, at most ${budget} kB`, weight.scriptsKb, { atMost: budget }, " kB"),
        goal(
          `${page}: document, at most ${DOCUMENT_BUDGET} kB`,
          weight.documentKb,
          { atMost: DOCUMENT_BUDGET },
          " kB",
        ),
        goal(`${page}: p50, at most ${RESPONSE_MS} ms`, p50, { atMost: RESPONSE_MS }, " ms"),
      );
    }
  const head = ["page", "document kB", "scripts kB", "p50 ms", "p99 ms"];
  return { title: "Pages: what a first visit loads, and the server's answer", head, rows, goals };
}
