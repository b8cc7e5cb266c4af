import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { Command, Option } from "commander";
import { runCommand } from "@/cli/command";
import { benchApi } from "./api";
import { benchBrowser } from "./browser";
import { benchDaily } from "./daily";
import { benchOverload } from "./overload";
import { printReport, type Report, round } from "./report";
import { buildProduct } from "./servers";
import { benchStart } from "./start";

interface Options {
  only?: Part;
  build: boolean;
  rounds: number;
  seconds: number;
  port: number;
  channels: string[];
  perStep: string[];
}

const PARTS = {
  api: benchApi,
  daily: ({ channels, perStep }: Options) => benchDaily(channels.map(Number), perStep.map(Number)),
  start: benchStart,
  browser: benchBrowser,
  overload: benchOverload,
} satisfies Record<string, (options: Options) => Promise<Report>>;
type Part = keyof typeof PARTS;

const program = new Command("bench")
  .description("Measure the service on this machine. Run as: npm run bench")
  .addOption(new Option("--only <part>", "one part alone").choices(Object.keys(PARTS)))
  .option("--no-build", "measure the build that is there")
  .option("--rounds <n>", "interleaved rounds", Number, 5)
  .option("--seconds <n>", "seconds of each case in a round", Number, 3)
  .option("--channels <n...>", "how many channels the daily runs read", ["10000", "100000"])
  .option("--per-step <n...>", "how many channels a step of the daily run stores", ["50", "1"])
  .option("--port <n>", "first of four ports that are free", Number, 18_800);

async function bench(options: Options): Promise<void> {
  const parts = options.only ? [options.only] : (Object.keys(PARTS) as Part[]);
  // The daily part compiles what it runs.
  if (options.build && parts.some((part) => part !== "daily")) await buildProduct();
  const reports: Report[] = [];
  for (const part of parts) {
    const report = await PARTS[part](options);
    printReport(report);
    reports.push(report);
  }
  const load = loadavg()[0] ?? 0;
  process.stdout.write(`\nLoad of the machine in the last minute: ${round(load)}\n`);
  writeFileSync("bench/results.json", `${JSON.stringify({ load, reports }, null, 2)}\n`);
}

// Servers end with this process, so a signal has to run its exit handlers.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
await runCommand(async () => {
  program.parse();
  await bench(program.opts());
});
