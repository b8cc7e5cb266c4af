"use client";

import { Text, TextInput } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { replaceLine } from "@/features/creators/list.rules";
import type { ChannelPreview } from "@/features/creators/schema";
import { Avatar } from "../../_ui/avatar";
import { getDisplayName } from "../../_ui/names";
import { Count, describeMissing } from "../../_ui/numbers";
import styles from "./add.module.css";
import type { Row } from "./rows";
import type { Adding } from "./use-adding";

interface AddListProps {
  rows: readonly Row[];
  text: string;
  onType: (text: string) => void;
  adding: Adding;
}

/** The lines of the list. A line that names no channel can be corrected in place. */
export function AddList({ rows, text, onType, adding }: AddListProps) {
  const list = useRef<HTMLOListElement>(null);
  const enter = (line: number, corrected: string) => {
    const next = replaceLine(text, line, corrected);
    onType(next);
    adding.preview(next);
    // The field goes once its line names a channel.
    list.current?.focus();
  };
  return (
    // Focusable, so that keyboard users can scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <ol className={styles.list} ref={list} tabIndex={0} aria-label="Lines">
      {rows.map((row) => (
        <li key={row.line} className={styles.row}>
          <span className={styles.line}>
            <span className="visually-hidden">Line </span>
            {row.line}
          </span>
          {(row.state === "new" || row.state === "repeated") && (
            <Text className={styles.who} size="sm" c="dimmed" truncate>
              <bdi>{row.text}</bdi>
            </Text>
          )}
          {row.state === "repeated" && <span className={styles.state}>Already on line {row.first}</span>}
          {row.state === "wrong" && (
            <Correction
              key={row.text}
              {...row}
              onLeave={(corrected) => onType(replaceLine(text, row.line, corrected))}
              onEnter={(corrected) => enter(row.line, corrected)}
            />
          )}
          {"channel" in row && <Channel {...row.channel} row={row} />}
        </li>
      ))}
    </ol>
  );
}

interface CorrectionProps {
  line: number;
  text: string;
  error: string;
  onLeave: (text: string) => void;
  onEnter: (text: string) => void;
}

function Correction({ line, text, error, onLeave, onEnter }: CorrectionProps) {
  const [typed, setTyped] = useState(text);
  return (
    <TextInput
      className={styles.correction}
      size="sm"
      aria-label={`Line ${line}`}
      dir="auto"
      value={typed}
      error={error}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={() => typed !== text && onLeave(typed)}
      onKeyDown={({ key }) => key === "Enter" && onEnter(typed)}
    />
  );
}

function Channel({ row, ...channel }: ChannelPreview & { row: Row }) {
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
        {row.state === "refused" && (
          <Text size="xs" c="var(--mantine-color-error)">
            {row.error}
          </Text>
        )}
      </div>
      {row.state === "was tracked" && <span className={styles.state}>Already tracked</span>}
      {row.state === "tracked" && (
        <span className={styles.tracked}>
          <IconCheck size={16} aria-hidden /> Tracked
        </span>
      )}
    </>
  );
}
