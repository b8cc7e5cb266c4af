"use client";

import { useElementSize } from "@mantine/hooks";
import type { Ref } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import styles from "./chart.module.css";
import type { ChartModel } from "./chart-model";
import { buildSummary, formatSummary } from "./day-summary";
import { buildFrame } from "./frame";
import type { AlertMark, DayNote } from "./notes";
import { ChartPlot } from "./plot";
import { Tooltip } from "./tooltip";
import { toUploadNotes, type UploadMark } from "./uploads";
import { useCursor } from "./use-cursor";

interface ChartProps {
  model: ChartModel;
  alerts: readonly AlertMark[];
  notes: readonly DayNote[];
  uploads: readonly UploadMark[];
  /** For its picture. */
  ref: Ref<SVGSVGElement>;
}

/** A chart to explore with pointer or arrow keys. The table below has the same numbers. */
export function Chart({ model, alerts, notes, uploads, ref }: ChartProps) {
  const { ref: box, width } = useElementSize();
  const frame = buildFrame(width, model);
  const { index, isByKey, handlers } = useCursor(frame, model.days.length);
  const summary = index === null ? null : buildSummary(model, index, alerts, [...notes, ...toUploadNotes(uploads)]);
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
          <ChartPlot
            ref={ref}
            model={model}
            frame={frame}
            alerts={alerts}
            notes={notes}
            uploads={uploads}
            index={index}
            label={label}
          />
          {summary && index !== null && <Tooltip summary={summary} index={index} frame={frame} />}
        </div>
      )}
      <div className="visually-hidden" aria-live="polite">
        {isByKey && summary && formatSummary(summary)}
      </div>
    </div>
  );
}

const TITLES = { subscribers: "Subscribers", views: "Views" } as const;

function formatLabel({ measure, days, lines, formatEnd }: ChartModel): string {
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
