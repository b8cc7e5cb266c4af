import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, type Ref, useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import styles from "./chart.module.css";
import type { ChartLine, ChartModel } from "./chart-model";
import { buildSummary, type DaySummary, formatSummary } from "./day-summary";
import { buildFrame, type Frame } from "./frame";
import panelStyles from "./panel.module.css";
import { ChartPlot } from "./plot";

/** A chart to explore with pointer or arrow keys. The table below has the same numbers. @param ref for its picture */
export function Chart({ model, ref }: { model: ChartModel; ref?: Ref<SVGSVGElement> }) {
  const { ref: box, width } = useElementSize();
  const frame = buildFrame(width, model);
  const { index, isByKey, handlers } = useCursor(frame, model.days.length);
  const summary = index === null ? null : buildSummary(model, index);
  const label = formatLabel(model);
  return (
    <div ref={box} className={styles.box}>
      {width > 0 && (
        <div
          role="application"
          aria-label={`${label}. Arrow keys read it day by day.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its point
          tabIndex={0}
          className={styles.reader}
          {...handlers}
        >
          <ChartPlot ref={ref} model={model} frame={frame} index={index} label={label} />
          {summary && index !== null && <Tooltip summary={summary} index={index} frame={frame} />}
        </div>
      )}
      <div className="visually-hidden" aria-live="polite">
        {isByKey && summary && formatSummary(summary)}
      </div>
    </div>
  );
}

const TOOLTIP_WIDTH = 248;
const TOOLTIP_SPACE = 14;

function formatLabel({ days, lines, forecast, formatEnd }: ChartModel): string {
  const span = formatQuantity(days.length, "day");
  if (lines.length > 1) {
    const ends = lines.map(({ name, values }) => {
      const end = values.findLast((value) => value !== null) ?? null;
      return `${name} ${end === null ? "unknown" : formatEnd(end)}`;
    });
    return `Subscribers compared over ${span}: ${ends.join(", ")}`;
  }
  const known = lines[0]?.counts.filter((count) => count !== null) ?? [];
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  const expected = forecast?.range;
  const next = expected ? `, expected ${formatCount(expected.low)} to ${formatCount(expected.high)} in 7 days` : "";
  return `Subscribers: from ${formatCount(first)} to ${formatCount(last)} in ${span}${next}`;
}

/** What happened on the day at the pointer. Screen readers get it from the chart's live region. */
function Tooltip({ summary, index, frame }: { summary: DaySummary; index: number; frame: Frame }) {
  const { day, rows, notes } = summary;
  const x = frame.x(index + 0.5);
  const wanted = x > frame.plot.width / 2 ? x - TOOLTIP_WIDTH - TOOLTIP_SPACE : x + TOOLTIP_SPACE;
  const left = Math.max(0, Math.min(wanted, frame.width - TOOLTIP_WIDTH));
  return (
    <div className={panelStyles.tooltip} style={{ left, width: TOOLTIP_WIDTH }} aria-hidden>
      <strong>{day}</strong>
      {rows.map(({ look, name, value, detail, direction }) => (
        <div key={name ?? value} className={panelStyles.row} data-named={name !== undefined || undefined}>
          {name && (
            <>
              <LineSample look={look} />
              <span className={panelStyles.name}>{name}</span>
              <span className={panelStyles.detail}>{detail}</span>
            </>
          )}
          <span className={panelStyles.value} data-direction={direction}>
            {value}
          </span>
          {!name && detail && <span className={panelStyles.detail}>{detail}</span>}
        </div>
      ))}
      {notes.map((note) => (
        <div key={note} className={panelStyles.happened}>
          {note}
        </div>
      ))}
    </div>
  );
}

export function LineSample({ look }: Pick<ChartLine, "look">) {
  return (
    <svg style={{ flex: "none" }} width="24" height="6" viewBox="0 0 24 6" aria-hidden>
      <path className={styles.line} data-look={look} d="M1 3H23" />
    </svg>
  );
}

interface Cursor {
  index: number | null;
  /** Whether the keyboard moved it here, so that screen readers announce it. */
  isByKey: boolean;
}

const NOWHERE: Cursor = { index: null, isByKey: false };
const WEEK = 7;

/** The day that the pointer or the arrow keys are at. */
function useCursor({ x }: Frame, days: number) {
  const [cursor, setCursor] = useState(NOWHERE);
  const last = days - 1;
  const index = cursor.index === null ? null : Math.min(cursor.index, last);
  return {
    index,
    isByKey: cursor.isByKey,
    handlers: {
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const distance = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const at = Math.floor(distance / x(1));
        setCursor({ index: Math.min(last, Math.max(0, at)), isByKey: false });
      },
      onPointerLeave: () => setCursor(NOWHERE),
      onBlur: () => setCursor(NOWHERE),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.key === "Escape") return setCursor(NOWHERE);
        const next = getNextIndex(event.key, index, last);
        if (next === null) return;
        event.preventDefault();
        setCursor({ index: next, isByKey: true });
      },
    },
  };
}

/** Where a key moves the cursor to; null for other keys. The first key shows the last day. */
export function getNextIndex(key: string, index: number | null, last: number): number | null {
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -WEEK, PageDown: WEEK }[key];
  if (step === undefined) return null;
  return index === null ? last : Math.min(last, Math.max(0, index + step));
}
