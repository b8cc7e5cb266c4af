import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, type Ref, useState } from "react";
import { formatCount, formatDay, formatGrowth, formatQuantity } from "@/core/format";
import { addDays } from "@/core/time";
import { computeGrowthBounds, computeGrowthPercent, computeRoundingError } from "@/features/growth/rules";
import { type Direction, getDirection } from "../../../../_ui/numbers";
import styles from "./chart.module.css";
import type { ChartLine, ChartModel } from "./chart-model";
import { buildFrame, type Frame, type Values } from "./frame";
import { toUploadNotes } from "./notes";
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

interface SummaryRow {
  look: ChartLine["look"];
  name?: string;
  value: string;
  detail?: string | null;
  direction?: Direction;
}

type DaySummary = ReturnType<typeof buildSummary>;

/** All that a chart knows of one day, for the box at the pointer and for screen readers. */
export function buildSummary(model: ChartModel, index: number) {
  const notes = [...model.notes, ...toUploadNotes(model.uploads)];
  return {
    day: formatDay(model.days[index]?.day ?? ""),
    rows: buildRows(model, index),
    notes: [
      ...model.alerts.filter((alert) => alert.index === index).map(({ label }) => label),
      ...notes.filter(({ from, to }) => from <= index && index <= to).map(({ text }) => text),
    ],
  };
}

export function formatSummary({ day, rows, notes }: DaySummary): string {
  const texts = rows.map(({ name, value, detail }) =>
    [name ? `${name} ${value}` : value, detail].filter(Boolean).join(", "),
  );
  return `${day}: ${[...texts, ...notes].join("; ")}`;
}

function buildRows({ days, lines, since }: ChartModel, index: number): SummaryRow[] {
  if (since !== null) return lines.map((line) => buildPercentRow(line, index, days));
  const rows = buildCountRows(lines[0]?.counts ?? [], index);
  if (rows.length > 0) return rows;
  return [{ look: 0, value: days[index]?.snapshot ? "Hidden by the channel" : "No snapshot on this day" }];
}

/** The count of a day with the range of the true one, and its change to the day before; nothing without a count. */
export function buildCountRows(counts: Values, index: number): SummaryRow[] {
  const [before, count] = [counts[index - 1] ?? null, counts[index] ?? null];
  if (count === null) return [];
  const hidden = computeRoundingError(count);
  const detail = hidden > 0 ? `true count ${formatCount(count)} to ${formatCount(count + hidden)}` : null;
  const row = { look: 0, value: `${formatCount(count)} subscribers`, detail } as const;
  return before === null ? [row] : [row, buildChangeRow(before, count)];
}

function buildChangeRow(before: number, after: number): SummaryRow {
  const gained = after - before;
  const percent = computeGrowthPercent(before, after);
  const sign = gained > 0 ? "+" : gained < 0 ? "−" : "";
  const change = `${sign}${formatCount(Math.abs(gained))}${percent === null ? "" : ` (${formatGrowth(percent)})`}`;
  const range = before > 0 ? computeGrowthBounds(before, after) : { low: gained, high: gained };
  const { low, high } = range;
  return {
    look: 0,
    value: `${change} since the day before`,
    detail: low === high ? null : `true growth ${formatGrowth(low)} to ${formatGrowth(high)}`,
    direction: getDirection(range),
  };
}

function buildPercentRow(line: ChartLine, index: number, days: ChartModel["days"]): SummaryRow {
  const [count, percent] = [line.counts[index] ?? null, line.values[index] ?? null];
  const dayBefore = line.look === "before" && formatDay(addDays(days[index]?.day ?? "", -days.length));
  return {
    look: line.look,
    name: line.name,
    value: percent === null ? "–" : formatGrowth(percent),
    detail: count === null ? "no snapshot" : `${formatCount(count)}${dayBefore ? ` on ${dayBefore}` : ""}`,
  };
}
