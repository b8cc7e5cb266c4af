import { Button, Checkbox, Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { memo, useRef, useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import type { ListEntry } from "@/features/creators/list.rules";
import type { ChannelPreview } from "@/features/creators/preview.service";
import { Avatar } from "../../_ui/avatar";
import { getDisplayName } from "../../_ui/names";
import { Count, describeMissing } from "../../_ui/numbers";
import styles from "./add.module.css";
import type { Row, RowState } from "./rows";

/** Rows that are drawn at a time, so that long lists stay quick. */
const PAGE = 50;

interface AddListProps {
  rows: readonly Row[];
  /** The only state to show; null for all. */
  shown: RowState | null;
  /** Corrects an entry; `isDone` when it is to be looked up. */
  onCorrect: (entry: ListEntry, text: string, isDone: boolean) => void;
  confirmed: ReadonlySet<string>;
  onConfirm: (confirmed: ReadonlySet<string>) => void;
}

/** The entries of the list. One that names no channel can be corrected in place. */
export const AddList = memo(function AddList({ rows, shown, onCorrect, confirmed, onConfirm }: AddListProps) {
  const list = useRef<HTMLOListElement>(null);
  const [limit, setLimit] = useState(PAGE);
  const chosen = rows.filter(({ state }) => (shown === null ? state !== "skipped" : state === shown));
  const skipped = shown === null ? rows.filter(({ state }) => state === "skipped") : [];
  const correct = (entry: ListEntry, text: string, isDone: boolean) => {
    onCorrect(entry, text, isDone);
    // The field goes once its line names a channel.
    if (isDone) list.current?.focus();
  };
  return (
    // Focusable, so that keyboard users can scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <ol className={styles.list} ref={list} tabIndex={0} aria-label="Lines">
      {chosen.slice(0, limit).map((row) => (
        <li key={`${row.entry.line} ${row.entry.text}`} className={styles.row}>
          <span className={styles.line}>
            <span className="visually-hidden">Line </span>
            {row.entry.line}
          </span>
          {row.channel && row.state !== "repeated" ? (
            <Channel {...row.channel} row={row} />
          ) : (
            <Unread row={row} onCorrect={correct} />
          )}
          <State row={row} confirmed={confirmed} onConfirm={onConfirm} />
        </li>
      ))}
      {chosen.length > limit && (
        <li className={styles.row}>
          <Button variant="subtle" size="compact-sm" onClick={() => setLimit(limit + 10 * PAGE)}>
            Show more of {formatCount(chosen.length)}
          </Button>
        </li>
      )}
      {skipped.length > 0 && (
        <li className={styles.row}>
          <details className={styles.skipped}>
            <summary>Skipped {formatQuantity(skipped.length, "line")} without a channel</summary>
            {skipped.slice(0, PAGE).map(({ entry: { line, text, reason } }) => (
              <Text key={`${line} ${text}`} size="xs" c="dimmed" truncate>
                {line} · <bdi>{text}</bdi>
                {reason && ` · ${reason}`}
              </Text>
            ))}
            {skipped.length > PAGE && <Text size="xs">The filter “skipped” shows all.</Text>}
          </details>
        </li>
      )}
    </ol>
  );
});

/** An entry whose channel is not known, or not yet. */
function Unread({ row, onCorrect }: Pick<AddListProps, "onCorrect"> & { row: Row }) {
  const { entry, state, reason } = row;
  if (state === "wrong" || state === "missing")
    return <Correction key={entry.text} entry={entry} error={reason ?? ""} onCorrect={onCorrect} />;
  return (
    <div className={styles.who}>
      <Text size="sm" c="dimmed" truncate>
        <bdi>{entry.text}</bdi>
      </Text>
      {state === "refused" && <Reason text={reason} />}
      {state === "skipped" && entry.reason && <Reason text={entry.reason} isQuiet />}
    </div>
  );
}

type CorrectionProps = Pick<AddListProps, "onCorrect"> & { entry: ListEntry; error: string };

function Correction({ entry, error, onCorrect }: CorrectionProps) {
  const [typed, setTyped] = useState(entry.text);
  return (
    <TextInput
      className={styles.correction}
      size="sm"
      aria-label={`Line ${entry.line}`}
      dir="auto"
      value={typed}
      error={error}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={() => typed !== entry.text && onCorrect(entry, typed, false)}
      onKeyDown={({ key }) => key === "Enter" && onCorrect(entry, typed, true)}
    />
  );
}

function Channel({ row: { state, reason }, ...channel }: ChannelPreview & { row: Row }) {
  const { handle, channel_id, counts, subscribers } = channel;
  return (
    <>
      <Avatar {...channel} />
      <div className={styles.who}>
        <Text size="sm" fw={550} truncate>
          <bdi>{getDisplayName(channel)}</bdi>
        </Text>
        <Text size="xs" c="dimmed" truncate>
          <bdi>{handle ?? channel_id}</bdi> ·{" "}
          {subscribers === null ? (
            `subscribers ${describeMissing(channel)}`
          ) : (
            <>
              <Count value={subscribers} counts={counts} /> {subscribers === 1 ? "subscriber" : "subscribers"}
            </>
          )}
        </Text>
        {(state === "refused" || state === "guess") && <Reason text={reason} isQuiet={state === "guess"} />}
      </div>
    </>
  );
}

function Reason({ text, isQuiet = false }: { text: string | undefined; isQuiet?: boolean }) {
  return (
    <Text size="xs" c={isQuiet ? "dimmed" : "var(--mantine-color-error)"}>
      {text}
    </Text>
  );
}

type StateProps = Pick<AddListProps, "confirmed" | "onConfirm"> & { row: Row };

function State({ row: { state, channel, reason }, confirmed, onConfirm }: StateProps) {
  if (state === "repeated") return <span className={styles.state}>{reason}</span>;
  if (state === "known") return <span className={styles.state}>Already tracked</span>;
  if (state === "tracked")
    return (
      <span className={styles.tracked}>
        <IconCheck size={16} aria-hidden /> Tracked
      </span>
    );
  if (state !== "guess" || !channel) return null;
  const { channel_id } = channel;
  const toggle = () =>
    onConfirm(
      new Set([...confirmed].filter((id) => id !== channel_id).concat(confirmed.has(channel_id) ? [] : channel_id)),
    );
  return <Checkbox size="sm" label="Track" checked={confirmed.has(channel_id)} onChange={toggle} />;
}
