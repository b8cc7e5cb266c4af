import { Button, Checkbox, Text } from "@mantine/core";
import { memo, startTransition, useCallback, useEffect, useEffectEvent, useMemo, useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import type { ListEntry, ReadList } from "@/features/creators/list.rules";
import { FailureNotice } from "../../_ui/query-state";
import styles from "./add.module.css";
import { AddList } from "./add-list";
import { PanelFoot } from "./panel-foot";
import { describeSource, type ListSource } from "./read-list";
import { buildRows, countStates, formatState, formatSummary, listNames, type RowState, sortWork } from "./rows";
import { useAdding } from "./use-adding";

/** What the page around a panel needs to know. */
export interface PanelState {
  isPreviewing: boolean;
  hasAction: boolean;
}

interface AddPanelProps {
  source: ListSource;
  /** The text to preview; null when there is nothing to do. */
  previewText: string | null;
  /** Whether its button is the page's primary one. */
  isPrimary: boolean;
  onPreviewStart?: () => void;
  onState: (id: string, state: PanelState) => void;
  onClose: (id: string) => void;
}

/** The channels of a list with what became of each, the cost of tracking them, and the results. */
export const AddPanel = memo(function AddPanel(props: AddPanelProps) {
  const { source, previewText, isPrimary, onPreviewStart, onState, onClose } = props;
  const adding = useAdding(source.text);
  const { previews, outcomes, previewing, tracking, allowance } = adding;
  const { read, correct } = useEntries(source.text);
  const { entries } = read;
  const rows = useMemo(() => buildRows(entries, previews, outcomes), [entries, previews, outcomes]);
  const counts = useMemo(() => countStates(rows), [rows]);
  const [shown, setShown] = useState<RowState | null>(null);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const work = useMemo(() => sortWork(rows, confirmed), [rows, confirmed]);
  const preview = useEffectEvent(() => {
    adding.preview(listNames(entries));
    onPreviewStart?.();
  });
  useEffect(() => {
    if (previewText !== null && previewText === read.text) preview();
  }, [previewText, read.text]);
  const isPreviewing = previewing.isPending;
  // The button of the box looks up its channels, those of a file have one in the panel.
  const canLookUp = work.unread.length > 0 && !isPreviewing;
  const hasAction = source.title === null ? work.ids.length > 0 && !canLookUp : work.ids.length > 0 || canLookUp;
  useEffect(() => {
    onState(source.id, { isPreviewing, hasAction });
    return () => onState(source.id, { isPreviewing: false, hasAction: false });
  }, [onState, source.id, isPreviewing, hasAction]);
  const lookUp = useEffectEvent(adding.preview);
  const change = useCallback(
    async (entry: ListEntry, corrected: string, isDone: boolean) => {
      const next = await correct(entry, corrected);
      if (isDone) lookUp(listNames(next));
    },
    [correct],
  );
  const isReading = read.text !== source.text;
  return (
    <section className={styles.panel} aria-label={source.title ? `Channels of ${source.title}` : "Channels to track"}>
      {source.title && (
        <Text className={styles.title}>{describeSource(source, isReading ? null : entries.length)}</Text>
      )}
      <StateFilter counts={counts} shown={shown} onShow={setShown} />
      {work.guesses.length > 1 && (shown ?? "guess") === "guess" && (
        <AllGuesses guesses={work.guesses} confirmed={confirmed} setConfirmed={setConfirmed} />
      )}
      <AddList rows={rows} shown={shown} onCorrect={change} confirmed={confirmed} onConfirm={setConfirmed} />
      {read.error && <FailureNotice error={read.error} />}
      {previewing.isError && (
        <FailureNotice error={previewing.error} retry={() => adding.preview(listNames(entries))} />
      )}
      <PanelFoot {...{ source, rows, columns: read.columns, work, adding, isPrimary, onClose }}>
        <Text component="div" size="sm" role="status" className={counts.length > 1 ? "visually-hidden" : undefined}>
          {isReading ? "Reading…" : formatSummary(counts, isPreviewing || tracking.isPending)}
        </Text>
        {allowance && (
          <Text size="xs" c="dimmed">
            {formatCount(allowance.lookups_limit - allowance.lookups_today)} of{" "}
            {formatQuantity(allowance.lookups_limit, "look-up")} left today
          </Text>
        )}
      </PanelFoot>
    </section>
  );
});

interface StateFilterProps {
  counts: readonly [RowState, number][];
  /** The only state to show; null for all. */
  shown: RowState | null;
  onShow: (state: RowState | null) => void;
}

/** The number of entries in each state. A click shows those alone, another one all. */
function StateFilter({ counts, shown, onShow }: StateFilterProps) {
  if (counts.length < 2) return null;
  return (
    <fieldset className={styles.filter} aria-label="Show">
      {counts.map(([state, count]) => (
        <Button
          key={state}
          size="compact-sm"
          radius="xl"
          variant="default"
          aria-pressed={shown === state}
          onClick={() => onShow(shown === state ? null : state)}
        >
          {formatState(state, count)}
        </Button>
      ))}
    </fieldset>
  );
}

interface AllGuessesProps {
  guesses: readonly string[];
  confirmed: ReadonlySet<string>;
  setConfirmed: (confirmed: ReadonlySet<string>) => void;
}

function AllGuesses({ guesses, confirmed, setConfirmed }: AllGuessesProps) {
  const count = guesses.filter((id) => confirmed.has(id)).length;
  return (
    <Checkbox
      size="sm"
      my="xs"
      label={`Select all ${formatCount(guesses.length)} guesses`}
      checked={count === guesses.length}
      indeterminate={count > 0 && count < guesses.length}
      onChange={({ currentTarget: { checked } }) => setConfirmed(new Set(checked ? guesses : []))}
    />
  );
}

type Read = ReadList & { text: string | null; error?: Error };

/** The entries of a text, and a way to correct those that name no channel. */
function useEntries(text: string) {
  const [read, setRead] = useState<Read>({ text: null, entries: [], columns: {} });
  useEffect(() => {
    const stop = new AbortController();
    readInWorker(text, stop.signal).then(
      (list) => startTransition(() => setRead({ text, ...list })),
      (error) => setRead({ text, entries: [], columns: {}, error }),
    );
    return () => stop.abort();
  }, [text]);
  /** Replaces an entry by what another text gives. */
  const correct = useCallback(async (entry: ListEntry, corrected: string): Promise<ListEntry[]> => {
    const { line } = entry;
    const found = (await readInWorker(corrected)).entries.map((each) => ({ ...each, line }));
    const next: ListEntry[] = found.length > 0 ? found : [{ line, text: entry.text, skipped: true }];
    const replace = (each: ListEntry) => (each === entry ? next : [each]);
    setRead((known) => ({ ...known, entries: known.entries.flatMap(replace) }));
    return next;
  }, []);
  return { read, correct };
}

/** Reads the channels of a text in a thread of its own, so that the page stays responsive. @param signal ends the reading */
function readInWorker(text: string, signal?: AbortSignal): Promise<ReadList> {
  const worker = new Worker(new URL("./read.worker.ts", import.meta.url), { type: "module" });
  signal?.addEventListener("abort", () => worker.terminate());
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<ReadList>) => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(text);
  });
}
