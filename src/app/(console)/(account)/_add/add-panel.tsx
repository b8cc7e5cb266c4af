"use client";

import { Button, Group, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useMemo } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import { LINES_AT_ONCE, type Recognised } from "@/features/creators/list.rules";
import { FailureNotice } from "../../_ui/failure-notice";
import { CountedFailure } from "../_tracking/counted-failure";
import styles from "./add.module.css";
import { AddList } from "./add-list";
import { buildRows, type Row } from "./rows";
import { type Adding, CHANNELS_PER_REQUEST, useAdding } from "./use-adding";

/** States after which a line needs nothing more. */
const FINAL: readonly Row["state"][] = ["tracked", "was tracked", "repeated"];

interface AddPanelProps {
  text: string;
  onType: (text: string) => void;
  list: Extract<Recognised, { kind: "channels" }>;
  /** The text to preview; null when there is nothing to do. */
  previewText: string | null;
  /** Called when the preview begins. */
  onPreviewStart: () => void;
  /** Called when a preview begins or ends. */
  onBusy: (isBusy: boolean) => void;
}

/** The entered channels line by line, the cost of tracking them, and the results. */
export function AddPanel({
  text,
  onType,
  list: { entries, rest },
  previewText,
  onPreviewStart,
  onBusy,
}: AddPanelProps) {
  const adding = useAdding();
  const preview = useEffectEvent((names: string) => {
    adding.preview(names);
    onPreviewStart();
  });
  useEffect(() => {
    if (previewText !== null) preview(previewText);
  }, [previewText]);
  const { previews, outcomes, previewing, tracking, allowance } = adding;
  const rows = useMemo(() => buildRows(entries, previews, outcomes), [entries, previews, outcomes]);
  const ids = rows.flatMap((row) => (row.state === "ready" || row.state === "refused" ? [row.channel.channel_id] : []));
  const isBusy = previewing.isPending || tracking.isPending;
  useEffect(() => {
    onBusy(previewing.isPending);
    return () => onBusy(false);
  }, [onBusy, previewing.isPending]);
  return (
    <section className={styles.panel} aria-label="Channels to track">
      <AddList rows={rows} text={text} onType={onType} adding={adding} />
      {rest && (
        <Text size="sm" mt="xs">
          Only the first {LINES_AT_ONCE} lines are taken. The other {formatCount(rest.split("\n").length)} stay in the
          box.
        </Text>
      )}
      {previewing.isError && <FailureNotice error={previewing.error} retry={() => adding.preview(text)} />}
      {tracking.isError && (
        <CountedFailure
          error={tracking.error}
          retry={() => adding.track(ids, text)}
          isRetryCounted
          kept="Your list is kept."
        />
      )}
      <div className={styles.foot}>
        <div>
          <Text component="div" size="sm" role="status">
            {formatSummary(rows, isBusy)}
          </Text>
          {allowance && (
            <Text size="xs" c="dimmed">
              {formatCount(allowance.lookups_limit - allowance.lookups_today)} of{" "}
              {formatQuantity(allowance.lookups_limit, "look-up")} left today
            </Text>
          )}
        </div>
        <Actions rows={rows} ids={ids} rest={rest} text={text} onType={onType} adding={adding} />
      </div>
    </section>
  );
}

interface ActionsProps extends Pick<AddPanelProps, "text" | "onType"> {
  adding: Adding;
  rows: readonly Row[];
  /** The channels to track. */
  ids: readonly string[];
  rest: string;
}

function Actions({ rows, ids, rest, text, onType, adding: { previewing, tracking, track } }: ActionsProps) {
  const isBusy = previewing.isPending || tracking.isPending;
  const isDone = !isBusy && rest === "" && rows.every(({ state }) => FINAL.includes(state));
  const hasNext = rest !== "" && rows.every(({ state }) => state !== "new" && state !== "ready");
  const failed = rows.filter(({ state }) => state === "wrong" || state === "refused").map((row) => row.text);
  return (
    <Group gap="xs">
      <Button variant="subtle" color="gray" size="sm" disabled={isBusy} onClick={() => onType("")}>
        {isDone ? "Done" : "Clear"}
      </Button>
      {ids.length > 0 && (
        <Button size="sm" loading={tracking.isPending} disabled={previewing.isPending} onClick={() => track(ids, text)}>
          Track {formatQuantity(ids.length, "creator")} ·{" "}
          {formatQuantity(Math.ceil(ids.length / CHANNELS_PER_REQUEST), "request")}
        </Button>
      )}
      {hasNext && (
        // What failed waits at the end, so that it never fills the list.
        <Button size="sm" disabled={isBusy} onClick={() => onType([rest, ...failed].join("\n"))}>
          Next lines
        </Button>
      )}
    </Group>
  );
}

/** How many lines are in each state, for sight and for screen readers. */
function formatSummary(rows: readonly Row[], isBusy: boolean): string {
  const count = (state: Row["state"]) => rows.filter((row) => row.state === state).length;
  const [tracked, ready, wrong] = [count("tracked"), count("ready"), count("wrong") + count("refused")];
  const parts = [
    tracked > 0 && `Now tracking ${formatQuantity(tracked, "more creator")}`,
    ready > 0 && `${formatCount(ready)} to track`,
    count("was tracked") > 0 && `${formatCount(count("was tracked"))} already tracked`,
    count("repeated") > 0 && `${formatCount(count("repeated"))} repeated`,
    wrong > 0 && `${formatQuantity(wrong, "line")} to correct`,
    count("new") > 0 &&
      (isBusy ? `looking up ${formatCount(count("new"))}` : `${formatCount(count("new"))} to look up`),
  ];
  return parts.filter(Boolean).join(" · ");
}
