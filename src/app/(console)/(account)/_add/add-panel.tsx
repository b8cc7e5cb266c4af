"use client";

import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import { type ListEntry, type ReadList, readList } from "@/features/creators/list.rules";
import { trpc } from "../../_client/trpc";
import { saveCsv, toCsv } from "../../_ui/csv";
import { FailureNotice } from "../../_ui/failure-notice";
import { CountedFailure } from "../_tracking/counted-failure";
import styles from "./add.module.css";
import { AddList } from "./add-list";
import { describeSource, type ListSource } from "./read-list";
import { buildRows, countStates, formatSummary, type Row, type RowState } from "./rows";
import { StateFilter } from "./state-filter";
import { takeOver } from "./take-over";
import { type Adding, CHANNELS_PER_REQUEST, useAdding } from "./use-adding";

/** What stays to be done by the person. */
const OPEN: readonly RowState[] = ["wrong", "missing", "refused", "guess"];

interface AddPanelProps {
  source: ListSource;
  /** The text to preview; null when there is nothing to do. */
  previewText: string | null;
  /** Called when the preview begins. */
  onPreviewStart?: () => void;
  /** Called when a preview begins or ends. */
  onBusy?: (isBusy: boolean) => void;
  onClose: () => void;
}

/** The channels of a list with what became of each, the cost of tracking them, and the results. */
export function AddPanel({ source, previewText, onPreviewStart, onBusy, onClose }: AddPanelProps) {
  const text = useDeferredValue(source.text);
  const adding = useAdding(text);
  const { previews, outcomes, previewing, tracking, allowance } = adding;
  const { entries, columns, correct } = useEntries(text);
  const rows = useMemo(() => buildRows(entries, previews, outcomes), [entries, previews, outcomes]);
  const counts = useMemo(() => countStates(rows), [rows]);
  const [shown, setShown] = useState<RowState | null>(null);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const preview = useEffectEvent(() => {
    adding.preview(listNames(entries));
    onPreviewStart?.();
  });
  useEffect(() => {
    if (previewText === text) preview();
  }, [previewText, text]);
  const isBusy = previewing.isPending || tracking.isPending;
  useEffect(() => {
    onBusy?.(previewing.isPending);
    return () => onBusy?.(false);
  }, [onBusy, previewing.isPending]);
  const change = (entry: ListEntry, corrected: string, isDone: boolean) => {
    const next = correct(entry, corrected);
    if (isDone) adding.preview(listNames(next));
  };
  return (
    <section className={styles.panel} aria-label={source.title ? `Channels of ${source.title}` : "Channels to track"}>
      {source.title && <Text className={styles.title}>{describeSource(source, entries.length)}</Text>}
      <StateFilter counts={counts} shown={shown} onShow={setShown} />
      <AddList rows={rows} shown={shown} onCorrect={change} confirmed={confirmed} onConfirm={setConfirmed} />
      {previewing.isError && (
        <FailureNotice error={previewing.error} retry={() => adding.preview(listNames(entries))} />
      )}
      <Foot {...{ source, rows, columns, confirmed, adding, onClose }}>
        <Text component="div" size="sm" role="status" className={counts.length > 1 ? "visually-hidden" : undefined}>
          {formatSummary(counts, isBusy)}
        </Text>
        {allowance && (
          <Text size="xs" c="dimmed">
            {formatCount(allowance.lookups_limit - allowance.lookups_today)} of{" "}
            {formatQuantity(allowance.lookups_limit, "look-up")} left today
          </Text>
        )}
      </Foot>
    </section>
  );
}

/** The entries of a text, and a way to correct those that name no channel. */
function useEntries(text: string) {
  const [read, setRead] = useState<ReadList & { text: string | null }>({ text: null, entries: [], columns: {} });
  if (read.text !== text) setRead({ text, ...readList(text) });
  /** Replaces an entry by what another text gives. */
  const correct = (entry: ListEntry, corrected: string): ListEntry[] => {
    const { line } = entry;
    const found = readList(corrected).entries.map((each) => ({ ...each, line }));
    const next: ListEntry[] = found.length > 0 ? found : [{ line, text: entry.text, skipped: true }];
    setRead({ ...read, entries: read.entries.flatMap((each): ListEntry[] => (each === entry ? next : [each])) });
    return next;
  };
  return { ...read, correct };
}

function listNames(entries: readonly ListEntry[]): string[] {
  return entries.flatMap((entry) => ("name" in entry ? [entry.name] : []));
}

interface FootProps {
  source: ListSource;
  rows: readonly Row[];
  columns: ReadList["columns"];
  confirmed: ReadonlySet<string>;
  adding: Adding;
  onClose: () => void;
  children: React.ReactNode;
}

/** What is left to do, and the buttons for it. */
function Foot({ source, rows, columns, confirmed, adding, onClose, children }: FootProps) {
  const { client } = trpc.useUtils();
  const [wanted, setWanted] = useState({ list: false, note: false });
  const { previewing, tracking } = adding;
  const isBusy = previewing.isPending || tracking.isPending;
  const ids = rows.flatMap(({ state, channel }) => {
    const isChosen =
      state === "ready" ||
      (state === "refused" && channel) ||
      (state === "guess" && channel && confirmed.has(channel.channel_id));
    return isChosen && channel ? [channel.channel_id] : [];
  });
  const open = rows.filter(({ state }) => OPEN.includes(state));
  const unread = rows.filter(({ state }) => state === "new").map(({ entry }) => entry);
  const isDone = !isBusy && open.length + unread.length + ids.length === 0;
  const track = () => adding.track(ids, (tracked) => takeOver(client, rows, wanted, tracked));
  return (
    <>
      {tracking.isError && (
        <CountedFailure error={tracking.error} retry={track} isRetryCounted kept="Your list is kept." />
      )}
      {tracking.data && (
        <Text size="sm" c="var(--mantine-color-error)">
          {tracking.data}
        </Text>
      )}
      {ids.length > 0 && <Columns {...{ columns, wanted, setWanted }} />}
      <div className={styles.foot}>
        <div>{children}</div>
        <Group gap="xs" className={styles.actions}>
          <Button variant="subtle" color="gray" size="sm" disabled={isBusy} onClick={onClose}>
            {isDone ? "Done" : "Clear"}
          </Button>
          {open.length > 0 && adding.outcomes.size > 0 && !isBusy && (
            <Button variant="default" size="sm" onClick={() => saveOpen(open)}>
              Download the other {formatCount(open.length)}
            </Button>
          )}
          {unread.length > 0 && source.title && !previewing.isPending ? (
            <Button size="sm" onClick={() => adding.preview(listNames(unread))}>
              Look up {formatQuantity(unread.length, "channel")}
            </Button>
          ) : (
            ids.length > 0 && (
              <Button size="sm" loading={tracking.isPending} disabled={previewing.isPending} onClick={track}>
                Track {formatQuantity(ids.length, "creator")} ·{" "}
                {formatQuantity(Math.ceil(ids.length / CHANNELS_PER_REQUEST), "request")}
              </Button>
            )
          )}
        </Group>
      </div>
    </>
  );
}

type ColumnsProps = Pick<FootProps, "columns"> & {
  wanted: { list: boolean; note: boolean };
  setWanted: (wanted: { list: boolean; note: boolean }) => void;
};

/** The optional columns of a table, taken over when ticked. */
function Columns({ columns: { list, note, tags }, wanted, setWanted }: ColumnsProps) {
  return (
    <Group gap="md" mt="sm">
      {list !== undefined && (
        <Checkbox
          size="sm"
          label={`Add to lists by “${list}”`}
          checked={wanted.list}
          onChange={({ currentTarget: { checked } }) => setWanted({ ...wanted, list: checked })}
        />
      )}
      {note !== undefined && (
        <Checkbox
          size="sm"
          label={`Save “${note}” as notes`}
          checked={wanted.note}
          onChange={({ currentTarget: { checked } }) => setWanted({ ...wanted, note: checked })}
        />
      )}
      {tags !== undefined && (
        <Text size="sm" c="dimmed">
          “{tags}” is left out: creators have no tags here.
        </Text>
      )}
    </Group>
  );
}

/** Saves what is not tracked, with the reasons, in a form that can be dropped here again. */
function saveOpen(rows: readonly Row[]): void {
  const lines = rows.map(({ entry, reason }) => ({
    line: entry.line,
    channel: "name" in entry ? entry.name : entry.text,
    reason,
  }));
  saveCsv(toCsv(lines, ["line", "channel", "reason"]), "not-tracked.csv");
}
