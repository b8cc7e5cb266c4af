import { Button, Checkbox, Group, Text } from "@mantine/core";
import pLimit from "p-limit";
import { useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import { toChunks } from "@/core/parallel";
import type { ListEntry, ReadList } from "@/features/creators/list.rules";
import { trpc } from "../../_client/trpc";
import { saveCsv, toCsv } from "../../_ui/csv";
import { CountedFailure } from "../_tracking/counted-failure";
import styles from "./add.module.css";
import type { ListSource } from "./read-list";
import { listNames, type Row, type Work } from "./rows";
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
  const isDone = !isBusy && open.length + ids.length + unread.length === 0;
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

type Client = ReturnType<typeof trpc.useUtils>["client"];
interface Wanted {
  list: boolean;
  note: boolean;
}

const CALLS_AT_ONCE = 4;

/**
 * Puts tracked creators into the lists, and saves the notes, that their rows name. A note that exists stays.
 * @returns what failed, in one sentence; null when nothing did
 */
async function takeOver(client: Client, rows: readonly Row[], wanted: Wanted, tracked: readonly string[]) {
  const ids = new Set(tracked);
  const kept = rows.flatMap(({ entry, channel }) =>
    channel && ids.has(channel.channel_id) ? [{ ...entry, id: channel.channel_id }] : [],
  );
  const problems: string[] = [];
  const attempt = async (work: Promise<void>) => {
    await work.catch((error: Error) => problems.push(error.message));
  };
  if (wanted.list) {
    const { lists } = await client.lists.all.query();
    const names = new Map(kept.flatMap(({ list }) => (list ? [[list.toLowerCase(), list]] : [])));
    for (const [folded, name] of names) {
      const channelIds = kept.filter(({ list }) => list?.toLowerCase() === folded).map(({ id }) => id);
      const existing = lists.find((list) => list.name.toLowerCase() === folded);
      await attempt(addToList(client, existing ?? { name }, channelIds));
    }
  }
  const notes = wanted.note ? kept.filter(({ note }) => note) : [];
  await pLimit(CALLS_AT_ONCE).map(notes, ({ id, note }) => attempt(saveNote(client, id, note ?? "")));
  return problems.length === 0
    ? null
    : `Could not save ${formatQuantity(problems.length, "list or note", "lists or notes")}: ${problems[0]}`;
}

async function addToList(client: Client, list: { id?: string; name: string }, channelIds: readonly string[]) {
  const id = list.id ?? (await client.lists.create.mutate({ name: list.name })).id;
  for (const channel_ids of toChunks(channelIds, CHANNELS_PER_REQUEST))
    await client.lists.add.mutate({ id, channel_ids });
}

async function saveNote(client: Client, channel_id: string, note: string): Promise<void> {
  const existing = await client.notes.get.query({ channel_id });
  if (existing.note === "") await client.notes.save.mutate({ channel_id, note });
}
