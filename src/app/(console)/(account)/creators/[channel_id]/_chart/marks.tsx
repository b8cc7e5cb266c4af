import styles from "./chart.module.css";
import { type Frame, LETTER } from "./frame";
import { layOutRow } from "./labels";
import type { AlertMark, DayNote } from "./notes";
import type { PlotProps } from "./plot";
import type { UploadMark } from "./uploads";

/** Capitals are wider. */
const CAPITAL = 7.6;
const SIZE = 6;

/** The creator's alerts as diamonds on its line, with their severity above the chart where there is room. */
export function AlertMarks({ marks, model, frame }: PlotProps & { marks: readonly AlertMark[] }) {
  const values = model.lines[0]?.values ?? [];
  // The newest first, so that it is named where two are close together.
  const shown = marks.toReversed().flatMap((mark) => {
    const value = values[mark.index] ?? null;
    return value === null ? [] : [{ ...mark, x: frame.x(mark.index + 0.5), y: frame.y(value) }];
  });
  const row = layOutRow(
    shown.map(({ x, label }) => ({ at: x, width: label.length * CAPITAL })),
    frame.width,
  );
  return shown.map(({ index, x, y: top, color, label, severity }, order) => {
    const at = row[order] ?? null;
    return (
      <g key={index}>
        {at !== null && (
          <>
            <path className={styles.stem} stroke={color} d={`M${x} -10V${top - SIZE}`} />
            <text className={styles.alert} data-severity={severity} x={at} y={-16} textAnchor="middle">
              {label}
            </text>
          </>
        )}
        <path
          className={styles.diamond}
          fill={color}
          d={`M${x} ${top - SIZE}l${SIZE} ${SIZE}l${-SIZE} ${SIZE}l${-SIZE} ${-SIZE}Z`}
        />
      </g>
    );
  });
}

/** Days that something happened to, as grey columns behind the lines. */
export function NoteColumns({ notes, frame }: { notes: readonly DayNote[]; frame: Frame }) {
  const columns = notes.map(({ from, to, label }) => {
    const left = frame.x(from);
    return { from, left, label, width: frame.x(to + 1) - left };
  });
  const row = layOutRow(
    columns.map(({ left, width, label }) => ({ at: left + width / 2, width: label.length * LETTER })),
    frame.plot.width,
  );
  return columns.map(({ from, left, width, label }, order) => {
    const at = row[order] ?? null;
    return (
      <g key={`${from} ${label}`}>
        <rect className={styles.note} x={left} y="0" width={width} height={frame.plot.height} />
        {at !== null && (
          <text className={styles.noteLabel} x={at} y={frame.plot.height - 8} textAnchor="middle">
            {label}
          </text>
        )}
      </g>
    );
  });
}

/** Uploads on the axis: triangles for long videos, rings for Shorts, squares for streams. */
export function UploadMarks({ marks, frame }: { marks: readonly UploadMark[]; frame: Frame }) {
  const y = frame.plot.height - 5;
  return marks.map(({ id, at, form }) => {
    const x = Math.round(frame.x(at) * 10) / 10;
    if (form === "short") return <circle key={id} className={styles.ring} cx={x} cy={y} r="3.5" />;
    const path = form === "long" ? `M${x - 4.5} ${y + 4}h9l-4.5 -8Z` : `M${x - 3.5} ${y - 3.5}h7v7h-7Z`;
    return <path key={id} className={styles.upload} d={path} />;
  });
}
