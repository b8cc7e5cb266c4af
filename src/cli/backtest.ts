import { readFile, writeFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { errorMessage, OperatorError } from "@/core/errors";
import {
  type BacktestReport,
  type Figures,
  HALVES,
  type Half,
  HORIZONS,
  type Horizon,
  RANKINGS,
} from "@/features/growth/backtest.schema";
import { runBacktest } from "@/features/growth/backtest.service";
import { readHistory } from "@/platform/history";
import { runCommand } from "./command";
import { drawBacktest } from "./picture";
import { facts, table } from "./table";

interface BacktestCommandOptions {
  half?: Half;
  samples: number;
  svg?: string;
  json?: boolean;
}

const program = new Command("backtest")
  .usage("<csv> [options]")
  .description(
    "Measure on real histories how well the score foresees growth, beside simple rankings.\n" +
      "The file has the columns channel_id,date,subscribers,views,videos; a blank count is unknown.\n" +
      "Run as: npm run backtest -- <csv>",
  )
  .argument("<csv>", "file of daily counts, 57 days or more")
  .addOption(
    new Option("--half <half>", "judge one half of the channels, told apart by their ids").choices(HALVES),
  )
  .option("--samples <count>", "bootstrap samples behind the intervals", asCount, 1000)
  .option("--svg <file>", "also draw the figures into this file")
  .option("--json", "print one JSON object, for machines")
  .showHelpAfterError("(add --help for usage)");

async function backtest(file: string, options: BacktestCommandOptions): Promise<void> {
  const history = readHistory(await readFile(file, "utf8").catch(fails(`${file} cannot be read`)));
  const report = runBacktest(history, options);
  if (options.svg !== undefined)
    await writeFile(options.svg, drawBacktest(report)).catch(fails(`${options.svg} cannot be written`));
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `${describe(report)}\n`);
}

function describe(report: BacktestReport): string {
  const { mean_change, largest_change, days } = report.quiet_days;
  return [
    ...HORIZONS.flatMap((horizon) => [horizonTable(report, horizon), leadTable(report, horizon)]),
    ...HORIZONS.map((horizon) => bandTable(report, horizon)),
    table(
      ["level", "share of channels", "growth in the next 7 days"],
      Object.entries(report.levels).map(([level, { share, mean7 }]) => [
        level,
        percent(share),
        mean7 === null ? "-" : percent(Math.expm1(mean7)),
      ]),
    ),
    facts({
      channels: report.channels,
      origins: report.origins,
      half: report.half ?? "all",
      "alerts by the rule": report.alerts,
      "score change on days without new counts, mean": decimals(mean_change, 2),
      "the same, largest": decimals(largest_change, 1),
      "such channel-days": days,
      "score version": report.score_version,
    }),
  ].join("\n");
}

function horizonTable({ horizons, best_possible }: BacktestReport, horizon: Horizon): string {
  const row = (name: string, { p1, p5, mean1, mean5, rho }: Partial<Figures>) => [
    name,
    ...[p1, p5, mean1, mean5, rho].map((figure) => decimals(figure, 3)),
  ];
  return table(
    [
      `${horizon} days ahead`,
      "top 1 %",
      "top 5 %",
      "growth of top 1 %",
      "growth of top 5 %",
      "rank correlation",
    ],
    [
      ...RANKINGS.map((name) => row(name, horizons[horizon][name])),
      row("best possible", { p1: 1, p5: 1, ...best_possible[horizon], rho: 1 }),
    ],
  );
}

function leadTable({ horizons, intervals }: BacktestReport, horizon: Horizon): string {
  const { score, lead } = intervals[horizon];
  const names = { p1: "top 1 %", p5: "top 5 %", rho: "rank correlation" } as const;
  return table(
    [`score, ${horizon} days`, "value", "95 % interval", "best baseline", "lead", "95 % interval"],
    (["p1", "p5", "rho"] as const).map((figure) => [
      names[figure],
      decimals(horizons[horizon].score[figure], 3),
      range(score[figure]),
      lead[figure].baseline,
      decimals(lead[figure].value, 3),
      range(lead[figure]),
    ]),
  );
}

function bandTable({ bands }: BacktestReport, horizon: Horizon): string {
  return table(
    [
      `subscribers, ${horizon} days`,
      "channels",
      "top 5 %",
      "best baseline",
      "rank correlation",
      "best baseline",
    ],
    Object.entries(bands[horizon]).map(([band, { channels, rankings }]) => {
      const best = (figure: "p5" | "rho") =>
        RANKINGS.filter((name) => name !== "score")
          .map((name) => ({ name, value: rankings[name][figure] }))
          .reduce((most, one) => (one.value > most.value ? one : most));
      return [
        band,
        channels,
        ...(["p5", "rho"] as const).flatMap((figure) => [
          decimals(rankings.score[figure], 3),
          `${decimals(best(figure).value, 3)} ${best(figure).name}`,
        ]),
      ];
    }),
  );
}

function range({ low, high }: { low: number; high: number }): string {
  return `${decimals(low, 3)} to ${decimals(high, 3)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

function decimals(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined ? "-" : value.toFixed(digits);
}

function asCount(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 99999.");
}

function fails(what: string): (error: unknown) => never {
  return (error) => {
    throw new OperatorError(`${what}: ${errorMessage(error)}`);
  };
}

await runCommand(async () => {
  program.parse();
  await backtest(program.args[0] ?? "", program.opts());
});
