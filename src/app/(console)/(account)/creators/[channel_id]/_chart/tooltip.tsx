import type { DaySummary } from "./day-summary";
import type { Frame } from "./frame";
import { LineSample } from "./line-sample";
import styles from "./panel.module.css";

const WIDTH = 248;
const SPACE = 14;

interface TooltipProps {
  summary: DaySummary;
  index: number;
  frame: Frame;
}

/** What happened on the day at the pointer. Screen readers get it from the chart's live region. */
export function Tooltip({ summary: { day, rows, notes }, index, frame }: TooltipProps) {
  const x = frame.x(index + 0.5);
  const wanted = x > frame.plot.width / 2 ? x - WIDTH - SPACE : x + SPACE;
  const left = Math.max(0, Math.min(wanted, frame.width - WIDTH));
  return (
    <div className={styles.tooltip} style={{ left, width: WIDTH }} aria-hidden>
      <strong>{day}</strong>
      {rows.map(({ look, name, value, detail, direction }) => (
        <div key={name ?? value} className={styles.row} data-named={name !== null || undefined}>
          {name && (
            <>
              <LineSample look={look} />
              <span className={styles.name}>{name}</span>
            </>
          )}
          {name && <span className={styles.detail}>{detail}</span>}
          <span className={styles.value} data-direction={direction}>
            {value}
          </span>
          {!name && detail && <span className={styles.detail}>{detail}</span>}
        </div>
      ))}
      {notes.map((note) => (
        <div key={note} className={styles.happened}>
          {note}
        </div>
      ))}
    </div>
  );
}
