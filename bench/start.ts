import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { median, type Report, round } from "./report";

const SERVER = ".next/server";
const ROUNDS = 5;
/** Loads a file in a process of its own and prints the milliseconds of CPU time that took. */
const LOAD = `const before = process.cpuUsage(); require(process.argv[1]);
  const { user, system } = process.cpuUsage(before); console.log((user + system) / 1000);`;
const Trace = z.object({ files: z.array(z.string()) });

/** Measures what an instance that comes and goes must load before it answers: each API route of the build. */
export async function benchStart(): Promise<Report> {
  const ofStart = traced("instrumentation.js");
  const routes = readdirSync(`${SERVER}/app/api`, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.js")
    .map((file) => `app/api/${file.replaceAll("\\", "/")}`)
    .sort();
  return {
    title: "Cold start: what a deployed function of each API route carries, and what loading the route takes",
    head: ["route", "files MB", "with the start's MB", "CPU ms"],
    rows: ["instrumentation.js", ...routes].map((route) => {
      const own = traced(route);
      const times = Array.from({ length: ROUNDS }, () => loadingMs(route));
      return [route, megabytes(own), megabytes([...own, ...ofStart]), round(median(times))];
    }),
    goals: [],
  };
}

/** All files that the build says an entry needs. */
function traced(entry: string): string[] {
  const list = path.resolve(SERVER, `${entry}.nft.json`);
  const { files } = Trace.parse(JSON.parse(readFileSync(list, "utf8")));
  return [path.resolve(SERVER, entry), ...files.map((file) => path.resolve(path.dirname(list), file))].filter(
    (file) => statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

function megabytes(files: readonly string[]): string {
  return round([...new Set(files)].reduce((sum, file) => sum + statSync(file).size, 0) / 1e6);
}

function loadingMs(entry: string): number {
  const file = path.resolve(SERVER, entry);
  return Number(spawnSync(process.execPath, ["-e", LOAD, file], { encoding: "utf8" }).stdout);
}
