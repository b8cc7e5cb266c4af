import { readFile, writeFile } from "node:fs/promises";
import { Option } from "commander";
import { createIntegerSchema } from "@/core/fields";
import type { GroupRecord } from "@/features/backtest/chances.rules";
import { findBestBaseline } from "@/features/backtest/rules";
import { type Figures, HALVES, type Half, HORIZONS, type Horizon, type RankingName } from "@/features/backtest/schema";
import { type BacktestReport, runBacktest } from "@/features/backtest/service";
import { readHistory } from "@/platform/history";
import { createFileErrorHandler, createParser, createProgram, type Output, print, runProgram } from "./command";
import { drawBacktest, FIGURE_NAMES, FIGURES } from "./picture";
import { formatFacts, formatTable, startBar } from "./table";

type BacktestOptions = Output & { half?: Half; samples: number; svg?: string; mixedHistory?: number };

async function printBacktest(file: string, options: BacktestOptions): Promise<void> {
  const history = readHistory(await readFile(file, "utf8").catch(createFileErrorHandler(`${file} cannot be read`)));
  const bar = startBar(HORIZONS.length * options.samples, "bootstrap samples");
  const run = async () => runBacktest(history, { ...options, onSample: () => bar.increment() });
  const report = await run().finally(() => bar.stop());
  if (options.svg !== undefined)
    await writeFile(options.svg, drawBacktest(report)).catch(
      createFileErrorHandler(`${options.svg} cannot be written`),
    );
  print(options, report, formatReport(report));
}

function formatReport(report: BacktestReport): string {
  const { calibration, quiet_days: quiet } = report;
  const chances = [calibration.chance_7d, calibration.chance_28d];
  const listChances = (figure: "brier" | "base_brier" | "error") => chances.map((chance) => chance[figure]);
  return [
    ...HORIZONS.flatMap((horizon) => formatHorizonTables(report, horizon)),
    formatTable(
      ["level", "share of channels", "growth in the next 7 days"],
      Object.entries(report.levels).map(([level, { share, mean7 }]) => [
        level,
        formatPercent(share),
        mean7 === null ? "-" : formatPercent(Math.expm1(mean7)),
      ]),
    ),
    formatTable(
      ["days of history", "channels", FIGURES.p5, FIGURES.rho, "fastest 5% found"],
      Object.entries(report.by_history).map(([days, { channels, p5, rho, recall }]) => [
        days,
        channels,
        ...formatDecimals([p5, rho, recall]),
      ]),
    ),
    ...chances.map(({ bins }, index) =>
      formatTable(
        [`chance_${HORIZONS[index]}d`, "channels", "mean chance", "grew so much"],
        bins.map(({ from, to, channels, predicted, seen }) => [
          `${from} to ${to}`,
          channels,
          ...formatDecimals([predicted, seen]),
        ]),
      ),
    ),
    formatGroups("subscribers, from", calibration.by_size),
    formatGroups("days of history", calibration.by_history),
    formatGroups("shape", calibration.by_shape),
    formatRanges(report),
    formatFacts({
      "Brier score of chance_7d, chance_28d": formatDecimals(listChances("brier"), 4).join(", "),
      "the same, had all the mean chance": formatDecimals(listChances("base_brier"), 4).join(", "),
      "calibration error of chance_7d, chance_28d": formatDecimals(listChances("error"), 4).join(", "),
      "mixed history": report.mixed_history ?? "no",
      channels: report.channels,
      origins: report.origins,
      half: report.half ?? "all",
      "alerts by the rule": report.alerts,
      "mean score change on days without new counts": formatDecimal(quiet.mean_change, 2),
      "largest score change on such days": formatDecimal(quiet.largest_change, 1),
      "channel-days without new counts": quiet.days,
      "score version": report.score_version,
    }),
  ].join("\n");
}

/** How often growth ended in the likely ranges. */
function formatRanges({ ranges }: BacktestReport): string {
  return formatTable(
    ["likely range", "channels", "ended inside", "below", ...Object.keys(ranges[7].by_size).map((size) => `${size}+`)],
    HORIZONS.map((horizon) => {
      const { channels, coverage, below, by_size } = ranges[horizon];
      const bySize = Object.values(by_size).map((one) => one.coverage);
      return [`${horizon} days`, channels, ...formatDecimals([coverage, below, ...bySize])];
    }),
  );
}

/** The chance of 5% growth in a week by group. */
function formatGroups(head: string, groups: Record<string, GroupRecord>): string {
  return formatTable(
    [head, "channels", "mean chance", "grew so much", "95% interval"],
    Object.entries(groups).map(([name, { channels, predicted, seen, low, high }]) => [
      name,
      channels,
      ...formatDecimals([predicted, seen]),
      formatDecimals([low, high]).join(" to "),
    ]),
  );
}

function formatHorizonTables(report: BacktestReport, horizon: Horizon): string[] {
  const rankings = report.horizons[horizon];
  const { score, lead } = report.intervals[horizon];
  const formatInterval = ({ low, high }: { low: number; high: number }) => formatDecimals([low, high]).join(" to ");
  const best = { p1: 1, p5: 1, rho: 1, ...report.best_possible[horizon] };
  return [
    formatTable(
      [`${horizon} days ahead`, FIGURES.p1, FIGURES.p5, "growth of top 1%", "growth of top 5%", FIGURES.rho],
      Object.entries({ ...rankings, "best possible": best }).map(([name, { p1, p5, mean1, mean5, rho }]) => [
        name,
        ...formatDecimals([p1, p5, mean1, mean5, rho]),
      ]),
    ),
    formatTable(
      [`score, ${horizon} days`, "value", "95% interval", "best baseline", "lead", "95% interval"],
      FIGURE_NAMES.map((figure) => [
        FIGURES[figure],
        formatDecimal(rankings.score[figure]),
        formatInterval(score[figure]),
        lead[figure].baseline,
        formatDecimal(lead[figure].value),
        formatInterval(lead[figure]),
      ]),
    ),
    formatTable(
      [`subscribers, ${horizon} days`, "channels", FIGURES.p5, "best baseline", FIGURES.rho, "best baseline"],
      Object.entries(report.bands[horizon]).map(([band, { channels, rankings }]) => [
        band,
        channels,
        ...formatWithBest(rankings, "p5"),
        ...formatWithBest(rankings, "rho"),
      ]),
    ),
  ];
}

/** The figure of the score, and that of the best simple ranking. */
function formatWithBest(rankings: Record<RankingName, Figures>, figure: "p5" | "rho"): string[] {
  const best = findBestBaseline(rankings, figure);
  return [formatDecimal(rankings.score[figure]), `${formatDecimal(rankings[best][figure])} ${best}`];
}

function formatPercent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}

function formatDecimal(value: number | null, digits = 3): string {
  return value?.toFixed(digits) ?? "-";
}

function formatDecimals(values: (number | null)[], digits = 3): string[] {
  return values.map((value) => formatDecimal(value, digits));
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
      createParser(createIntegerSchema(0, 2 ** 31 - 1)),
    )
    .option(
      "--samples <count>",
      "bootstrap samples of the intervals",
      createParser(createIntegerSchema(1, 99_999)),
      1000,
    )
    .option("--svg <file>", "also draw the figures to this file")
    .action(printBacktest),
);
