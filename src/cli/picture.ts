import { HORIZONS, RANKINGS } from "@/features/backtest/schema";
import type { BacktestReport } from "@/features/backtest/service";

/** The figures of a ranking that are compared, with their titles. */
export const FIGURES = { p1: "top 1%", p5: "top 5%", rho: "rank correlation" } as const;
export const FIGURE_NAMES = ["p1", "p5", "rho"] as const;

const COLUMNS = FIGURE_NAMES.length;
const PANEL = { width: 428, height: 220, left: 104, top: 40, scale: 300, bar: 16, step: 22 };

interface Panel {
  title: string;
  /** The value of a full-width bar. */
  max: number;
  bars: { name: string; value: number; text: string; interval?: { low: number; high: number } }[];
}

/** Draws a backtest as an SVG document: each figure as bars, the score's with its interval, and growth by level. */
export function drawBacktest(report: BacktestReport): string {
  const panels: Panel[] = HORIZONS.flatMap((horizon) =>
    FIGURE_NAMES.map((figure) => ({
      title: `${FIGURES[figure]}, ${horizon} days ahead`,
      max: 1,
      bars: RANKINGS.map((name) => {
        const value = report.horizons[horizon][name][figure];
        const bar = { name, value, text: value.toFixed(3) };
        return name === "score" ? { ...bar, interval: report.intervals[horizon].score[figure] } : bar;
      }),
    })),
  );
  const growth = Object.entries(report.levels).map(([name, { mean7 }]) => {
    const value = Math.expm1(mean7 ?? 0);
    return { name, value, text: `${(100 * value).toFixed(2)}%` };
  });
  const max = 1.4 * Math.max(0.001, ...growth.map(({ value }) => value));
  panels.push({ title: "growth in the next 7 days by level", max, bars: growth });
  const [width, height] = [COLUMNS * PANEL.width, Math.ceil(panels.length / COLUMNS) * PANEL.height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img">
<title>How well the score predicts growth: ${report.channels} channels, ${report.origins} origins</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.map(drawPanel).join("\n")}
</svg>
`;
}

function drawPanel({ title, max, bars }: Panel, index: number): string {
  const left = (index % COLUMNS) * PANEL.width + PANEL.left;
  const top = Math.floor(index / COLUMNS) * PANEL.height + PANEL.top;
  const toWidth = (value: number) => Math.round((Math.max(0, value) / max) * PANEL.scale);
  const drawn = bars.map(({ name, value, text, interval = { low: 0, high: 0 } }, row) => {
    const [y, middle] = [row * PANEL.step, row * PANEL.step + PANEL.bar / 2];
    const fill = name === "score" ? "#1d4ed8" : "#9ca3af";
    return `<text x="-6" y="${middle + 4}" text-anchor="end">${name}</text><rect y="${y}" width="${toWidth(value)}" height="${PANEL.bar}" fill="${fill}"/><path d="M${toWidth(interval.low)} ${middle}H${toWidth(interval.high)}" stroke="#111827" stroke-width="2"/><text x="${Math.max(toWidth(value), toWidth(interval.high)) + 6}" y="${middle + 4}">${text}</text>`;
  });
  return `<g transform="translate(${left} ${top})"><text y="-12" font-weight="bold">${title}</text>${drawn.join("")}</g>`;
}
