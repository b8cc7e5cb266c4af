import { writeFileSync } from "node:fs";
import { Command, Option } from "commander";
import { closeOnSignal, runCommand } from "@/cli/command";
import { benchApi } from "./api";
import { benchDaily } from "./daily";
import { drawGoals, printReport, type Report } from "./report";

const PARTS = ["api", "daily", "storage", "console"] as const;
type Part = (typeof PARTS)[number];

interface Options {
  only?: Part;
  rounds: number;
  seconds: number;
  port: number;
}

const program = new Command("bench")
  .description("Measure the service beside its rivals, on this machine. Run as: npm run bench")
  .addOption(new Option("--only <part>", "one part alone").choices(PARTS))
  .option("--rounds <n>", "interleaved rounds of the API's cases", Number, 5)
  .option("--seconds <n>", "seconds of each case in a round", Number, 3)
  .option("--port <n>", "first of five ports that are free", Number, 18_800);

async function bench({ only, ...options }: Options): Promise<void> {
  const parts: Record<string, () => Promise<Report>> = {
    api: () => benchApi(options),
    daily: () => benchDaily(),
  };
  const reports: Partial<Record<Part, Report>> = {};
  for (const part of PARTS.filter((one) => !only || one === only)) {
    const report = await parts[part]?.();
    if (!report) continue;
    printReport(report);
    reports[part] = report;
  }
  writeFileSync("bench/results.json", `${JSON.stringify(reports, null, 2)}\n`);
  drawGoals("bench/results.svg", Object.values(reports));
}

closeOnSignal();
await runCommand(async () => {
  program.parse();
  await bench(program.opts());
});
