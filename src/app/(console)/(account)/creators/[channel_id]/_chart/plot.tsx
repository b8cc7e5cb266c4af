import type { Ref } from "react";
import { formatDay } from "@/core/format";
import styles from "./chart.module.css";
import type { ChartModel } from "./chart-model";
import { ForecastArea } from "./forecast-area";
import { buildBandPath, buildStepPath, type Frame, LETTER } from "./frame";
import { clipText, layOutColumn, layOutRow, listLabelledDays } from "./labels";
import type { DayNote } from "./notes";
import { UploadMarks } from "./upload-marks";

export interface PlotProps {
  model: ChartModel;
  frame: Frame;
}

interface ChartPlotProps extends PlotProps {
  index?: number | null;
  label: string;
  ref?: Ref<SVGSVGElement>;
}

/** Widths and distances, in pixels. Capitals are wider than other letters. */
const DAY_LABEL = 58;
const CAPITAL = 7.6;
const DIAMOND = 6;
const APART = 15;
const INDENT = 10;

export function ChartPlot({ model, frame, index = null, label, ref }: ChartPlotProps) {
  const { days, lines, highest } = model;
  const [own] = lines;
  const { plot } = frame;
  return (
    <svg
      ref={ref}
      className={styles.plot}
      width={frame.width}
      height={frame.height}
      viewBox={`0 0 ${frame.width} ${frame.height}`}
      role="img"
      aria-label={label}
    >
      <g transform={`translate(0 ${frame.top})`}>
        <NoteColumns notes={model.notes} frame={frame} />
        {model.axis.ticks.map((tick) => (
          <path
            key={tick}
            className={model.since !== null && tick === 0 ? styles.zero : styles.grid}
            d={`M0 ${frame.y(tick)}H${plot.width}`}
          />
        ))}
        {listLabelledDays(days.length, frame.x(days.length), DAY_LABEL).map((day) => (
          <text key={day} className={styles.tick} x={frame.x(day + 0.5)} y={plot.height + 20} textAnchor="middle">
            {formatDay(days[day]?.day ?? "")}
          </text>
        ))}
        <ForecastArea model={model} frame={frame} />
        {own && highest && <path className={styles.band} d={buildBandPath(own.values, highest, frame)} />}
        {lines.toReversed().map(({ id, look, values }) => (
          // Rounded counts move in steps; a slope between them would be invented.
          <path key={id} className={styles.line} data-look={look} d={buildStepPath(values, frame)} />
        ))}
        <UploadMarks model={model} frame={frame} />
        <AlertMarks model={model} frame={frame} />
        <EndLabels model={model} frame={frame} />
        {index !== null && <Cursor index={index} model={model} frame={frame} />}
      </g>
    </svg>
  );
}

function Cursor({ index, model, frame }: PlotProps & { index: number }) {
  const x = frame.x(index + 0.5);
  return (
    <g data-not-printed>
      <path className={styles.cursor} d={`M${x} 0V${frame.plot.height}`} />
      {model.lines.map(({ id, look, values }) => {
        const value = values[index] ?? null;
        return (
          value !== null && (
            <circle key={id} className={styles.point} data-look={look} cx={x} cy={frame.y(value)} r="4.5" />
          )
        );
      })}
    </g>
  );
}

/** The creator's alerts as diamonds on its line, with their severity above the chart where there is room. */
function AlertMarks({ model, frame }: PlotProps) {
  const values = model.lines[0]?.values ?? [];
  // The newest first, so that it is named where two are close together.
  const marks = model.alerts.toReversed().flatMap((mark) => {
    const value = values[mark.index] ?? null;
    const at = frame.x(mark.index + 0.5);
    return value === null ? [] : [{ ...mark, at, width: mark.label.length * CAPITAL, y: frame.y(value) }];
  });
  return layOutRow(marks, frame.width).map(({ index, at: x, y: top, center, color, label, severity }) => (
    <g key={index}>
      {center !== null && (
        <>
          <path className={styles.stem} stroke={color} d={`M${x} -10V${top - DIAMOND}`} />
          <text className={styles.alert} data-severity={severity} x={center} y={-16} textAnchor="middle">
            {label}
          </text>
        </>
      )}
      <path
        className={styles.diamond}
        fill={color}
        d={`M${x} ${top - DIAMOND}l${DIAMOND} ${DIAMOND}l${-DIAMOND} ${DIAMOND}l${-DIAMOND} ${-DIAMOND}Z`}
      />
    </g>
  ));
}

/** Days that something happened to, as grey columns behind the lines. */
export function NoteColumns({ notes, frame }: { notes: readonly DayNote[]; frame: Frame }) {
  const columns = notes.map(({ from, to, label }) => {
    const [left, right] = [frame.x(from), frame.x(to + 1)];
    return { from, left, right, label, at: (left + right) / 2, width: label.length * LETTER };
  });
  return layOutRow(columns, frame.plot.width).map(({ from, left, right, label, center }) => (
    <g key={`${from} ${label}`}>
      <rect className={styles.note} x={left} y="0" width={right - left} height={frame.plot.height} />
      {center !== null && (
        <text className={styles.noteLabel} x={center} y={frame.plot.height - 8} textAnchor="middle">
          {label}
        </text>
      )}
    </g>
  ));
}

/** The value axis at the right. The ends of the lines replace ticks close to them. */
function EndLabels({ model, frame }: PlotProps) {
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
  return layOutColumn(ends, APART, frame.plot.height);
}
