import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { sleep } from "@/core/time";
import { YOUNG_HEAP } from "./servers";

/*
 * Lists the source files of which at least one function runs while the built service answers a request:
 *   npm run build && node --import tsx bench/path.ts [path] [port]
 * V8 counts the calls in the server (bench/coverage.mjs). A function in .next belongs to the file that its source map
 * names, one in dist to the file that esbuild names above it. Five requests are made, a second apart; a file counts
 * when it ran in each of them, so that timers that fire in between are left out.
 */
const [target = "/api/usage", port = "18890"] = process.argv.slice(2);
const REQUESTS = 5;

const Coverage = z.array(
  z.object({
    url: z.string().transform((url) => fileURLToPath(url.replace(/^(?!file:)/, "file://"))),
    functions: z.array(
      z.object({ ranges: z.array(z.object({ startOffset: z.number(), count: z.number() })) }),
    ),
  }),
);

type FileAt = (offset: number) => string | undefined;

/** Tells for an offset in a built file which source file it was built from. */
function sourcesOf(file: string): FileAt {
  const code = readFileSync(file, "utf8");
  const names = [...code.matchAll(/^\/\/ ((?:src|emails)\/\S+)$/gm)];
  if (!existsSync(`${file}.map`)) return (offset) => names.findLast(({ index }) => index < offset)?.[1];
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  return (offset) => {
    const before = code.slice(0, offset).split("\n");
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    const source = "originalSource" in entry ? entry.originalSource : "";
    const [name = ""] = /\b(?:src|emails)\/.*/.exec(source) ?? [];
    // Next's own files have such names too.
    return existsSync(name) ? name : undefined;
  };
}

const known = new Map<string, FileAt>();

/** Source files with a function that ran since the last call. */
async function filesRun(server: ChildProcess): Promise<Set<string>> {
  const answer = once(server, "message");
  server.send("take");
  const files = new Set<string>();
  for (const { url, functions } of Coverage.parse((await answer)[0])) {
    const fileAt = known.get(url) ?? sourcesOf(url);
    known.set(url, fileAt);
    for (const { ranges } of functions) {
      const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges;
      // The function at 0 is the built file itself.
      const name = startOffset > 0 && count > 0 ? fileAt(startOffset) : undefined;
      if (name) files.add(name);
    }
  }
  return files;
}

async function issueKey(env: NodeJS.ProcessEnv): Promise<string> {
  const words = ["src/cli/run.mjs", "keys", "issue", "--tier", "pro", "--label", "path", "--json"];
  const output = execFileSync(process.execPath, words, { env, encoding: "utf8" });
  return z.object({ key: z.string() }).parse(JSON.parse(output)).key;
}

async function measure(server: ChildProcess, env: NodeJS.ProcessEnv): Promise<string[]> {
  const ask = (place: string, key = "") =>
    fetch(`http://127.0.0.1:${port}${place}`, { headers: { "X-API-Key": key } }).then(
      ({ status }) => status,
      () => 0,
    );
  for (let turn = 0; turn < 600 && (await ask("/api/health")) !== 200; turn++) await sleep(100);
  const key = await issueKey(env);
  const runs: Set<string>[] = [];
  for (let request = 0; request < REQUESTS; request++) {
    // The request log writes within a second what came before.
    await sleep(1500);
    await filesRun(server);
    const status = await ask(target, key);
    runs.push(await filesRun(server));
    if (status !== 200) throw new Error(`${target} answered ${status}`);
  }
  return [...(runs[0] ?? [])].filter((file) => runs.every((run) => run.has(file))).sort();
}

const dataDir = mkdtempSync(path.join(tmpdir(), "creator-growth-path-"));
const env = { ...process.env, PORT: port, DATA_DIR: dataDir };
const server = fork("dist/cli/serve.js", ["start"], {
  execArgv: [YOUNG_HEAP, "--import", "./bench/coverage.mjs"],
  env,
  stdio: ["ignore", "ignore", "inherit", "ipc"],
});
try {
  const files = await measure(server, env);
  process.stdout.write(`${files.join("\n")}\n${files.length} files run for GET ${target}\n`);
} finally {
  server.kill("SIGTERM");
  if (server.exitCode === null) await once(server, "exit");
  rmSync(dataDir, { recursive: true, force: true });
}
