"use client";

import { useElementSize } from "@mantine/hooks";
import type { Ref } from "react";
import { formatCount, formatQuantity } from "@/ui/format";
import styles from "./chart.module.css";
import type { ChartModel } from "./chart-model";
import { summaryOf, summaryText } from "./day-summary";
import { frameOf } from "./frame";
import type { AlertMark, DayNote } from "./notes";
import { ChartPlot } from "./plot";
import { Tooltip } from "./tooltip";
import { useCursor } from "./use-cursor";

interface ChartProps {
  model: ChartModel;
  alerts: readonly AlertMark[];
  notes: readonly DayNote[];
  /** For its picture. */
  ref: Ref<SVGSVGElement>;
}

/** A chart whose days can be read with the pointer and with the arrow keys. The table below has the same numbers. */
export function Chart({ model, alerts, notes, ref }: ChartProps) {
  const { ref: box, width } = useElementSize();
  const frame = frameOf(width, model.days.length, model.since !== null);
  const { place, isByKey, handlers } = useCursor(frame.columns);
  const summary = place === null ? null : summaryOf(model, place, alerts, notes);
  const label = labelOf(model);
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
          <ChartPlot
            ref={ref}
            model={model}
            frame={frame}
            alerts={alerts}
            notes={notes}
            place={place}
            label={label}
          />
          {summary && place !== null && <Tooltip summary={summary} place={place} frame={frame} />}
        </div>
      )}
      <div className="visually-hidden" aria-live="polite">
        {isByKey && summary && summaryText(summary)}
      </div>
    </div>
  );
}

const TITLES = { subscribers: "Subscribers", views: "Views" } as const;

function labelOf({ measure, days, lines, formatEnd }: ChartModel): string {
  const span = formatQuantity(days.length, "day");
  if (lines.length > 1) {
    const ends = lines.map(({ name, values }) => {
      const end = values.findLast((value) => value !== null) ?? null;
      return `${name} ${end === null ? "unknown" : formatEnd(end)}`;
    });
    return `${TITLES[measure]} compared over ${span}: ${ends.join(", ")}`;
  }
  const known = lines[0]?.counts.filter((count) => count !== null) ?? [];
  const [first = 0, last = 0] = [known[0], known.at(-1)];
  return `${TITLES[measure]}: from ${formatCount(first)} to ${formatCount(last)} in ${span}`;
}
