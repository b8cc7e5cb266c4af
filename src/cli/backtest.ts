import { readFile, writeFile } from "node:fs/promises";
import { InvalidArgumentError, Option } from "commander";
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
import { createProgram, failsWith, jsonOption, type Output, print, runProgram } from "./command";
import { drawBacktest } from "./picture";
import { facts, table } from "./table";

const FIGURES = { p1: "top 1%", p5: "top 5%", rho: "rank correlation" } as const;

interface BacktestOptions extends Output {
  half?: Half;
  samples: number;
  svg?: string;
}

async function backtest(file: string, options: BacktestOptions): Promise<void> {
  const history = readHistory(await readFile(file, "utf8").catch(failsWith(`${file} cannot be read`)));
  const report = runBacktest(history, options);
  if (options.svg !== undefined)
    await writeFile(options.svg, drawBacktest(report)).catch(failsWith(`${options.svg} cannot be written`));
  print(options, report, asText(report));
}

function asText(report: BacktestReport): string {
  const { mean_change, largest_change, days } = report.quiet_days;
  return [
    ...HORIZONS.flatMap((horizon) => [rankingTable(report, horizon), leadTable(report, horizon)]),
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
      "mean score change on days without new counts": decimals(mean_change, 2),
      "largest score change on such days": decimals(largest_change, 1),
      "channel-days without new counts": days,
      "score version": report.score_version,
    }),
  ].join("\n");
}

function rankingTable({ horizons, best_possible }: BacktestReport, horizon: Horizon): string {
  const row = (name: string, { p1, p5, mean1, mean5, rho }: Partial<Figures>) => [
    name,
    ...[p1, p5, mean1, mean5, rho].map((figure) => decimals(figure)),
  ];
  return table(
    [`${horizon} days ahead`, FIGURES.p1, FIGURES.p5, "growth of top 1%", "growth of top 5%", FIGURES.rho],
    [
      ...RANKINGS.map((name) => row(name, horizons[horizon][name])),
      row("best possible", { p1: 1, p5: 1, ...best_possible[horizon], rho: 1 }),
    ],
  );
}

function leadTable({ horizons, intervals }: BacktestReport, horizon: Horizon): string {
  const { score, lead } = intervals[horizon];
  const interval = ({ low, high }: { low: number; high: number }) => `${decimals(low)} to ${decimals(high)}`;
  return table(
    [`score, ${horizon} days`, "value", "95% interval", "best baseline", "lead", "95% interval"],
    (["p1", "p5", "rho"] as const).map((figure) => [
      FIGURES[figure],
      decimals(horizons[horizon].score[figure]),
      interval(score[figure]),
      lead[figure].baseline,
      decimals(lead[figure].value),
      interval(lead[figure]),
    ]),
  );
}

function bandTable({ bands }: BacktestReport, horizon: Horizon): string {
  const figures = ["p5", "rho"] as const;
  return table(
    [
      `subscribers, ${horizon} days`,
      "channels",
      ...figures.flatMap((figure) => [FIGURES[figure], "best baseline"]),
    ],
    Object.entries(bands[horizon]).map(([band, { channels, rankings }]) => {
      const best = (figure: "p5" | "rho") =>
        RANKINGS.filter((name) => name !== "score")
          .map((name) => ({ name, value: rankings[name][figure] }))
          .reduce((most, one) => (one.value > most.value ? one : most));
      const cells = figures.flatMap((figure) => {
        const { name, value } = best(figure);
        return [decimals(rankings.score[figure]), `${decimals(value)} ${name}`];
      });
      return [band, channels, ...cells];
    }),
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

function decimals(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined ? "-" : value.toFixed(digits);
}

function asCount(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a whole number from 1 to 99999.");
}

await runProgram(
  createProgram(
    "backtest -- <csv>",
    "Measure on real histories how well the score predicts growth, compared with simple rankings.\n" +
      "The file has the columns channel_id,date,subscribers,views,videos. An empty count is unknown.",
  )
    .argument("<csv>", "file of daily counts, 57 days or more")
    .addOption(new Option("--half <half>", "use one half of the channels, split by id").choices(HALVES))
    .option("--samples <count>", "bootstrap samples of the intervals", asCount, 1000)
    .option("--svg <file>", "also draw the figures to this file")
    .addOption(jsonOption())
    .action(backtest),
);
