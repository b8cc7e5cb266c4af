import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import type { ListEntry, ReadList } from "@/features/creators/list.rules";
import { trpc } from "../../_client/trpc";
import { saveCsv, toCsv } from "../../_ui/csv";
import { CountedFailure } from "../_tracking/counted-failure";
import styles from "./add.module.css";
import type { ListSource } from "./read-list";
import { hasWork, listNames, type Row, type Work } from "./rows";
import { takeOver, type Wanted } from "./take-over";
import { type Adding, CHANNELS_PER_REQUEST } from "./use-adding";

interface PanelFootProps {
  source: ListSource;
  rows: readonly Row[];
  columns: ReadList["columns"];
  work: Work;
  adding: Adding;
  isPrimary: boolean;
  onClose: (id: string) => void;
  children: React.ReactNode;
}

/** What is left to do, and the buttons for it. */
export function PanelFoot({ source, rows, columns, work, adding, isPrimary, onClose, children }: PanelFootProps) {
  const { client } = trpc.useUtils();
  const [wanted, setWanted] = useState({ list: false, note: false });
  const { previewing, tracking } = adding;
  const isBusy = previewing.isPending || tracking.isPending;
  const { ids, unread, open } = work;
  const variant = isPrimary ? "filled" : "default";
  const isDone = !isBusy && open.length === 0 && !hasWork(work);
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
      {ids.length > 0 && <Columns columns={columns} wanted={wanted} setWanted={setWanted} />}
      <div className={styles.foot}>
        <div>{children}</div>
        <Group gap="xs" className={styles.actions}>
          <Button variant="subtle" color="gray" size="sm" disabled={isBusy} onClick={() => onClose(source.id)}>
            {isDone ? "Done" : "Clear"}
          </Button>
          {open.length > 0 && adding.outcomes.size > 0 && !isBusy && (
            <Button variant="default" size="sm" onClick={() => saveOpen(open)}>
              Download the other {formatCount(open.length)}
            </Button>
          )}
          {unread.length > 0 && source.title && !previewing.isPending ? (
            <Button size="sm" variant={variant} onClick={() => adding.preview(listNames(unread))}>
              Look up {formatQuantity(unread.length, "channel")}
            </Button>
          ) : (
            ids.length > 0 && (
              <Button
                size="sm"
                variant={variant}
                loading={tracking.isPending}
                disabled={previewing.isPending}
                onClick={track}
              >
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

type ColumnsProps = Pick<PanelFootProps, "columns"> & {
  wanted: Wanted;
  setWanted: (wanted: Wanted) => void;
};

/** The optional columns of a table, taken over when ticked. */
function Columns({ columns: { list, note, tags }, wanted, setWanted }: ColumnsProps) {
  const labels = { list: list && `Add to lists by “${list}”`, note: note && `Save “${note}” as notes` };
  return (
    <Group gap="md" mt="sm">
      {(["list", "note"] as const).map(
        (column) =>
          labels[column] && (
            <Checkbox
              key={column}
              size="sm"
              label={labels[column]}
              checked={wanted[column]}
              onChange={({ currentTarget: { checked } }) => setWanted({ ...wanted, [column]: checked })}
            />
          ),
      )}
      {tags !== undefined && (
        <Text size="sm" c="dimmed">
          “{tags}” is left out: creators have no tags here.
        </Text>
      )}
    </Group>
  );
}

/** Saves what is not tracked, with the reasons, in a form that can be dropped here again: a guess stays one. */
function saveOpen(rows: readonly Row[]): void {
  const lines = rows.map(({ entry, reason }) => ({ line: entry.line, channel: describeOpen(entry), reason }));
  saveCsv(toCsv(lines, ["line", "channel", "reason"]), "not-tracked.csv");
}

function describeOpen(entry: ListEntry): string {
  if (!("name" in entry)) return entry.text;
  return entry.guessedFrom === undefined || entry.name.includes("/c/") ? entry.name : `# ${entry.name}`;
}
