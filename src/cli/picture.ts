import { type BacktestReport, HORIZONS, RANKINGS } from "@/features/growth/backtest.schema";

const WIDTH = 300;
const HEIGHT = 180;
const MARGIN = { left: 104, top: 40, gap: 24, bottom: 0 };
const BAR = 16;
const STEP = 22;
const STRONG = "#1d4ed8";
const PALE = "#9ca3af";
const FIGURE_NAMES = { p1: "top 1 % found", p5: "top 5 % found", rho: "rank correlation" } as const;

interface Bar {
  name: string;
  value: number;
  text: string;
  strong: boolean;
  interval?: { low: number; high: number };
}

/** Draws a backtest as an SVG document: each figure as bars, the score's with its interval, and growth by level. */
export function drawBacktest(report: BacktestReport): string {
  const rows = HORIZONS.map((horizon) =>
    (["p1", "p5", "rho"] as const).map((figure) => {
      const bars = RANKINGS.map((name) => {
        const value = report.horizons[horizon][name][figure];
        const interval = name === "score" ? { interval: report.intervals[horizon].score[figure] } : {};
        return { name, value, text: value.toFixed(3), strong: name === "score", ...interval };
      });
      return { title: `${FIGURE_NAMES[figure]}, ${horizon} days ahead`, bars, most: 1 };
    }),
  );
  const growth = Object.entries(report.levels).map(([name, { mean7 }]) => {
    const value = Math.expm1(mean7 ?? 0);
    return { name, value, text: `${(100 * value).toFixed(2)} %`, strong: true };
  });
  const most = Math.max(0.001, ...growth.map(({ value }) => value)) * 1.4;
  const panels = [...rows, [{ title: "growth in the next 7 days by level", bars: growth, most }]];
  const drawn = panels.flatMap((row, y) =>
    row.map(({ title, bars, most: scale }, x) => drawPanel(title, bars, scale, x, y)),
  );
  const columns = Math.max(...panels.map((row) => row.length));
  const size = {
    width: columns * (WIDTH + MARGIN.left + MARGIN.gap),
    height: panels.length * (HEIGHT + MARGIN.top + MARGIN.bottom),
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12" role="img">
<title>How well the score foresees growth: ${report.channels} channels, ${report.origins} origins</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel(title: string, bars: readonly Bar[], most: number, x: number, y: number): string {
  const left = x * (WIDTH + MARGIN.left + MARGIN.gap) + MARGIN.left;
  const top = y * (HEIGHT + MARGIN.top + MARGIN.bottom) + MARGIN.top;
  const at = (value: number) => Math.round((Math.max(0, value) / most) * WIDTH * 10) / 10;
  const drawn = bars.map((bar, index) => {
    const [line, middle] = [index * STEP, index * STEP + BAR / 2];
    const whisker = bar.interval
      ? `<line x1="${at(bar.interval.low)}" x2="${at(bar.interval.high)}" y1="${middle}" y2="${middle}" stroke="#111827" stroke-width="2"/>`
      : "";
    const end = Math.max(at(bar.value), at(bar.interval?.high ?? 0)) + 6;
    return `<text x="-6" y="${middle + 4}" text-anchor="end">${bar.name}</text><rect y="${line}" width="${at(bar.value)}" height="${BAR}" fill="${bar.strong ? STRONG : PALE}"/>${whisker}<text x="${end}" y="${middle + 4}">${bar.text}</text>`;
  });
  return `<g transform="translate(${left} ${top})"><text y="-12" font-weight="bold">${title}</text>${drawn.join("")}</g>`;
}
