import styles from "./chart.module.css";
import type { ChartModel } from "./chart-model";
import { type Frame, LETTER } from "./frame";
import { clipText, layOutColumn } from "./labels";
import type { PlotProps } from "./plot";

const APART = 15;
const INDENT = 10;

/** The value axis at the right. The ends of the lines replace ticks close to them. */
export function EndLabels({ model, frame }: PlotProps) {
  const ends = buildEnds(model, frame);
  const ticks = model.axis.ticks.filter((tick) => ends.every(({ at }) => Math.abs(at - frame.y(tick)) >= APART - 1));
  const x = frame.plot.width + INDENT;
  return (
    <>
      {ticks.map((tick) => (
        <text key={tick} className={styles.tick} x={x} y={frame.y(tick)} dy="0.35em">
          {model.axis.format(tick)}
        </text>
      ))}
      {ends.map(({ id, look, at, text }) => (
        <text key={id} className={styles.end} data-look={look} x={x} y={at} dy="0.35em">
          {text}
        </text>
      ))}
    </>
  );
}

/** The last value of each line, with its name where there are several. */
function buildEnds(model: ChartModel, frame: Frame) {
  const letters = Math.floor((frame.right - INDENT) / LETTER);
  const ends = model.lines.flatMap(({ id, look, name, values }) => {
    const value = values.findLast((found) => found !== null) ?? null;
    if (value === null) return [];
    const valueText = model.formatEnd(value);
    const text = model.since === null ? valueText : `${valueText} ${clipText(name, letters - valueText.length - 1)}`;
    return [{ id, look, text, at: frame.y(value) }];
  });
  const heights = layOutColumn(
    ends.map(({ at }) => at),
    APART,
    frame.plot.height,
  );
  return ends.map((end, index) => ({ ...end, at: heights[index] ?? end.at }));
}
