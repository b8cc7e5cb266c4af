import { Text } from "@mantine/core";
import { formatDay } from "@/core/format";
import { computeRoundingError } from "@/features/growth/rules";
import type { ChartModel } from "./chart-model";
import type { DayNote } from "./notes";

interface CaptionProps {
  model: ChartModel | null;
  hasAlerts: boolean;
  hasUploads: boolean;
  notes: readonly DayNote[];
}

/** How to read the chart, in words. */
export function Caption({ model, hasAlerts, hasUploads, notes }: CaptionProps) {
  return (
    <Text size="xs" c="dimmed" mt="xs" component="p" mih="2.6em">
      {model && explainChart(model).map((sentence) => `${sentence} `)}
      {model && hasAlerts && "A diamond marks an alert. "}
      {hasUploads && "On the axis, a triangle marks a video, a ring a Short and a square a stream. "}
      {notes.length > 0 && `Grey columns: ${notes.map(({ text }) => text).join(" ")} `}
      Days are UTC days.
    </Text>
  );
}

function explainChart({ measure, days, lines, since, leftOut }: ChartModel): string[] {
  const sentences: string[] = [];
  if (since !== null) {
    const day = formatDay(since);
    sentences.push(`Percent since ${day}, the first day with a count of every line.`);
  }
  if (leftOut.length > 0) sentences.push(`Not shown for want of a common day: ${leftOut.join(", ")}.`);
  const isRounded = lines[0]?.counts.some((count) => computeRoundingError(count ?? 0) > 0);
  if (measure === "subscribers" && isRounded)
    sentences.push(
      since === null
        ? "Subscriber counts move in steps: from 1,000 the platform rounds them down to three figures. The true count lies in the shaded band."
        : "Subscriber counts move in steps: from 1,000 the platform rounds them down to three figures.",
    );
  if (days.some(({ snapshot }) => snapshot === null)) sentences.push("A gap is a day without a snapshot.");
  return sentences;
}
