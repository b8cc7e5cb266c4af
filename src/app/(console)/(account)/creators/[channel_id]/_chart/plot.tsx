import type { Ref } from "react";
import { formatDay } from "@/core/format";
import styles from "./chart.module.css";
import type { ChartModel } from "./chart-model";
import { EndLabels } from "./end-labels";
import type { Frame } from "./frame";
import { listLabelledDays } from "./labels";
import { AlertMarks, NoteColumns, UploadMarks } from "./marks";
import type { AlertMark, DayNote } from "./notes";
import { buildBandPath, buildLinePath, buildStepPath } from "./paths";
import type { UploadMark } from "./uploads";

export interface PlotProps {
  model: ChartModel;
  frame: Frame;
}

interface ChartPlotProps extends PlotProps {
  alerts: readonly AlertMark[];
  notes: readonly DayNote[];
  uploads?: readonly UploadMark[];
  /** The day at the pointer. */
  index: number | null;
  label: string;
  ref?: Ref<SVGSVGElement>;
}

const DAY_LABEL = 58;

/** A chart as one drawing. */
export function ChartPlot({ model, frame, alerts, notes, uploads = [], index, label, ref }: ChartPlotProps) {
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
        <NoteColumns notes={notes} frame={frame} />
        <Grid model={model} frame={frame} />
        <Days model={model} frame={frame} />
        <Lines model={model} frame={frame} />
        <UploadMarks marks={uploads} frame={frame} />
        <AlertMarks marks={alerts} model={model} frame={frame} />
        <EndLabels model={model} frame={frame} />
        {index !== null && <Cursor index={index} model={model} frame={frame} />}
      </g>
    </svg>
  );
}

function Grid({ model, frame }: PlotProps) {
  return model.axis.ticks.map((tick) => (
    <path
      key={tick}
      className={model.since !== null && tick === 0 ? styles.zero : styles.grid}
      d={`M0 ${frame.y(tick)}H${frame.plot.width}`}
    />
  ));
}

function Days({ model, frame }: PlotProps) {
  const { days } = model;
  return listLabelledDays(days.length, frame.plot.width, DAY_LABEL).map((index) => (
    <text key={index} className={styles.tick} x={frame.x(index + 0.5)} y={frame.plot.height + 20} textAnchor="middle">
      {formatDay(days[index]?.day ?? "")}
    </text>
  ));
}

/** The lines, the creator's own above the others, and the band of its rounding. */
function Lines({ model, frame }: PlotProps) {
  const [own] = model.lines;
  // Rounded counts move in steps; a slope between them would be invented.
  const path = model.measure === "subscribers" ? buildStepPath : buildLinePath;
  return (
    <>
      {own && model.highest && <path className={styles.band} d={buildBandPath(own.values, model.highest, frame)} />}
      {model.lines.toReversed().map(({ id, look, values }) => (
        <path key={id} className={styles.line} data-look={look} d={path(values, frame)} />
      ))}
    </>
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
