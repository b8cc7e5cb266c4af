import { readFile, writeFile } from "node:fs/promises";
import { Option } from "commander";
import { wholeNumber } from "@/core/fields";
import {
  type BacktestReport,
  HALVES,
  type Half,
  HORIZONS,
  type Horizon,
  RANKINGS,
} from "@/features/backtest/schema";
import { runBacktest } from "@/features/backtest/service";
import { readHistory } from "@/platform/history";
import { createProgram, failsWith, fitting, type Output, print, runProgram } from "./command";
import { drawBacktest, FIGURE_NAMES, FIGURES } from "./picture";
import { facts, startBar, table } from "./table";

type BacktestOptions = Output & { half?: Half; samples: number; svg?: string; mixedHistory?: number };

async function backtest(file: string, options: BacktestOptions): Promise<void> {
  const history = readHistory(await readFile(file, "utf8").catch(failsWith(`${file} cannot be read`)));
  const bar = startBar(HORIZONS.length * options.samples, "bootstrap samples");
  let report: BacktestReport;
  try {
    report = runBacktest(history, { ...options, onSample: () => bar.increment() });
  } finally {
    bar.stop();
  }
  if (options.svg !== undefined)
    await writeFile(options.svg, drawBacktest(report)).catch(failsWith(`${options.svg} cannot be written`));
  print(options, report, asText(report));
}

function asText(report: BacktestReport): string {
  const { mean_change, largest_change, days } = report.quiet_days;
  const levels = Object.entries(report.levels).map(([level, { share, mean7 }]) => [
    level,
    percent(share),
    mean7 === null ? "-" : percent(Math.expm1(mean7)),
  ]);
  return [
    ...HORIZONS.flatMap((horizon) => horizonTables(report, horizon)),
    table(["level", "share of channels", "growth in the next 7 days"], levels),
    historyTable(report),
    ...(["chance_7d", "chance_28d"] as const).map((name) => chanceTable(report, name)),
    facts({
      "Brier score of chance_7d, chance_28d": Object.values(report.calibration)
        .map(({ brier }) => decimals(brier, 4))
        .join(", "),
      "calibration error of chance_7d, chance_28d": Object.values(report.calibration)
        .map(({ error }) => decimals(error, 4))
        .join(", "),
      "mixed history": report.mixed_history ?? "no",
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

function horizonTables(report: BacktestReport, horizon: Horizon): string[] {
  const rankings = report.horizons[horizon];
  const { score, lead } = report.intervals[horizon];
  const interval = ({ low, high }: { low: number; high: number }) => `${decimals(low)} to ${decimals(high)}`;
  return [
    table(
      [`${horizon} days ahead`, FIGURES.p1, FIGURES.p5, "growth of top 1%", "growth of top 5%", FIGURES.rho],
      [
        ...RANKINGS.map((name) => ({ name, ...rankings[name] })),
        { name: "best possible", p1: 1, p5: 1, rho: 1, ...report.best_possible[horizon] },
      ].map(({ name, p1, p5, mean1, mean5, rho }) => [
        name,
        ...[p1, p5, mean1, mean5, rho].map((figure) => decimals(figure)),
      ]),
    ),
    table(
      [`score, ${horizon} days`, "value", "95% interval", "best baseline", "lead", "95% interval"],
      FIGURE_NAMES.map((figure) => [
        FIGURES[figure],
        decimals(rankings.score[figure]),
        interval(score[figure]),
        lead[figure].baseline,
        decimals(lead[figure].value),
        interval(lead[figure]),
      ]),
    ),
    bandTable(report.bands[horizon], horizon),
  ];
}

function bandTable(bands: BacktestReport["bands"][Horizon], horizon: Horizon): string {
  const baselines = RANKINGS.filter((name) => name !== "score");
  return table(
    [`subscribers, ${horizon} days`, "channels", FIGURES.p5, "best baseline", FIGURES.rho, "best baseline"],
    Object.entries(bands).map(([band, { channels, rankings }]) => {
      const cells = (["p5", "rho"] as const).flatMap((figure) => {
        const best = baselines.reduce((most, name) =>
          rankings[name][figure] > rankings[most][figure] ? name : most,
        );
        return [decimals(rankings.score[figure]), `${decimals(rankings[best][figure])} ${best}`];
      });
      return [band, channels, ...cells];
    }),
  );
}

function historyTable({ by_history }: BacktestReport): string {
  return table(
    ["days of history", "channels", FIGURES.p5, FIGURES.rho, "fastest 5% found"],
    Object.entries(by_history).map(([days, { channels, p5, rho, recall }]) => [
      days,
      channels,
      ...[p5, rho, recall].map((figure) => decimals(figure)),
    ]),
  );
}

function chanceTable({ calibration }: BacktestReport, name: keyof BacktestReport["calibration"]): string {
  return table(
    [name, "channels", "mean chance", "grew so much"],
    calibration[name].bins.map(({ from, to, channels, predicted, seen }) => [
      `${from} to ${to}`,
      channels,
      decimals(predicted),
      decimals(seen),
    ]),
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

function decimals(value: number | null, digits = 3): string {
  return value?.toFixed(digits) ?? "-";
}

await runProgram(
  createProgram(
    "backtest -- <csv>",
    "Measure on real histories how well the score predicts growth, compared with simple rankings.\n" +
      "The file has the columns channel_id,date,subscribers,views,videos. An empty count is unknown.",
  )
    .argument("<csv>", "file of daily counts, 57 days or more")
    .addOption(new Option("--half <half>", "use one half of the channels, split by id").choices(HALVES))
    .option(
      "--mixed-history <seed>",
      "cut each channel's history to 3, 7, 14 or 28 days, drawn from this seed",
      fitting(wholeNumber(0, 2 ** 31 - 1)),
    )
    .option("--samples <count>", "bootstrap samples of the intervals", fitting(wholeNumber(1, 99_999)), 1000)
    .option("--svg <file>", "also draw the figures to this file")
    .action(backtest),
);
