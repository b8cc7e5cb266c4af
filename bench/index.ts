import { writeFileSync } from "node:fs";
import { Command, Option } from "commander";
import { runCommand } from "@/cli/command";
import { benchApi } from "./api";
import { benchBrowser } from "./browser";
import { benchConsole } from "./console";
import { benchDaily } from "./daily";
import { benchDiscover } from "./discover";
import { drawGoals, printReport, type Report } from "./report";
import { buildAll } from "./servers";
import { benchStorage } from "./storage";

const PARTS = ["api", "discover", "daily", "storage", "console", "browser"] as const;
type Part = (typeof PARTS)[number];

interface Options {
  only?: Part;
  build: boolean;
  rounds: number;
  seconds: number;
  port: number;
}

const program = new Command("bench")
  .description("Measure the service beside its rivals, on this machine. Run as: npm run bench")
  .addOption(new Option("--only <part>", "one part alone").choices(PARTS))
  .option("--no-build", "measure the builds that are there")
  .option("--rounds <n>", "interleaved rounds", Number, 5)
  .option("--seconds <n>", "seconds of each case in a round", Number, 3)
  .option("--port <n>", "first of five ports that are free", Number, 18_800);

async function bench({ only, build, ...options }: Options): Promise<void> {
  if (build && only !== "daily" && only !== "storage") await buildAll();
  const parts: Record<Part, () => Promise<Report>> = {
    api: () => benchApi(options),
    discover: () => benchDiscover(options),
    daily: () => benchDaily(),
    storage: benchStorage,
    console: () => benchConsole(options),
    browser: () => benchBrowser(options),
  };
  const reports: Partial<Record<Part, Report>> = {};
  for (const part of PARTS.filter((one) => !only || one === only)) {
    const report = await parts[part]();
    printReport(report);
    reports[part] = report;
  }
  writeFileSync("bench/results.json", `${JSON.stringify(reports, null, 2)}\n`);
  drawGoals("bench/results.svg", Object.values(reports));
}

await runCommand(async () => {
  program.parse();
  await bench(program.opts());
});
