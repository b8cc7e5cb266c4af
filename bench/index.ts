import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { Command, Option } from "commander";
import { runCommand } from "@/cli/command";
import { benchApi } from "./api";
import { benchBigKey } from "./big-key";
import { benchBrowser } from "./browser";
import { benchConsole } from "./console";
import { benchDaily, CHANNELS } from "./daily";
import { benchDiscover } from "./discover";
import { keepHistory } from "./history";
import { benchReplay } from "./replay";
import { drawGoals, printReport, type Report, round } from "./report";
import { buildAll } from "./servers";
import { benchFirstAnswer, benchStart } from "./start";
import { benchStorage } from "./storage";

interface Options {
  only?: Part;
  build: boolean;
  rounds: number;
  seconds: number;
  port: number;
  channels: string[];
  history?: string;
}

/** What each part measures, one after another. */
const PARTS = {
  api: [benchApi],
  discover: [benchDiscover],
  daily: [
    ({ channels }: Options) => benchDaily(channels.map(Number)),
    ({ history }: Options) => benchReplay(history),
  ],
  storage: [benchStorage],
  "big-key": [benchBigKey],
  console: [benchConsole, benchStart],
  start: [benchFirstAnswer],
  browser: [benchBrowser],
} satisfies Record<string, ((options: Options) => Promise<Report>)[]>;
type Part = keyof typeof PARTS;
const BUILT: Part[] = ["api", "discover", "console", "start", "browser"];

const program = new Command("bench")
  .description("Measure the service beside its rivals, on this machine. Run as: npm run bench")
  .addOption(new Option("--only <part>", "one part alone").choices(Object.keys(PARTS)))
  .option("--no-build", "measure the builds that are there")
  .option("--rounds <n>", "interleaved rounds", Number, 5)
  .option("--seconds <n>", "seconds of each case in a round", Number, 3)
  .option("--channels <n...>", "how many channels the daily runs read", CHANNELS.map(String))
  .option("--history <csv>", "histories to replay, instead of invented ones")
  .option("--port <n>", "first of five ports that are free", Number, 18_800);

async function bench(options: Options): Promise<void> {
  const names = options.only ? [options.only] : (Object.keys(PARTS) as Part[]);
  if (options.build && names.some((name) => BUILT.includes(name))) await buildAll();
  const reports: Report[] = [];
  for (const measure of names.flatMap((name) => PARTS[name])) {
    const report = await measure(options);
    printReport(report);
    reports.push(report);
  }
  const load = loadavg()[0] ?? 0;
  process.stdout.write(`\nLoad of the machine in the last minute: ${round(load)}\n`);
  writeFileSync("bench/results.json", `${JSON.stringify({ load, reports }, null, 2)}\n`);
  drawGoals("bench/results.svg", reports);
  keepHistory(load, reports);
}

// What is started for measuring ends with this process, whatever ends it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await runCommand(async () => {
  program.parse();
  await bench(program.opts());
});
