"use client";

import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import type { TrackListAnswer } from "@/features/creators/schema";
import type { TrackedRow } from "@/features/creators/table.schema";
import type { CreatorList } from "@/features/lists/schema";
import { markTracked } from "../../_client/discovered";
import { toFailure } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Dropdown, DropdownItem } from "../../_ui/dropdown";
import { useIsSettling } from "../../_ui/query-state";
import { focus, Undo } from "../../_ui/undo";
import type { Selection } from "../_tracking/use-selection";
import { useFollowUp, useTrackMany } from "../_tracking/use-tracking";
import { ListDialog } from "./list-dialog";
import { saveTable } from "./overview-csv";
import styles from "./selection-bar.module.css";
import { useListChange } from "./use-list-change";

interface SelectionBarProps {
  selection: Selection<TrackedRow>;
  /** The shown list, or null. */
  list: string | null;
}

/** Bulk actions, shown while creators are selected. They are off while other rows are on their way. */
export function SelectionBar({ selection, list }: SelectionBarProps) {
  const isBusy = useIsSettling();
  const { selected, clear } = selection;
  const [isUntracking, setIsUntracking] = useState(false);
  const csv = useMutation({
    mutationFn: () => saveTable(selected),
    onError: () => void toast("The file could not be saved. Try again.", "failed"),
  });
  return (
    <section className={styles.bar} aria-label="Selected creators">
      <fieldset disabled={isBusy} className={styles.actions}>
        {isUntracking ? (
          <UntrackMany selection={selection} onCancel={() => setIsUntracking(false)} />
        ) : (
          <>
            <Text size="sm" fw={600} role="status" px={4}>
              {formatCount(selected.length)} selected
            </Text>
            <Group gap={4}>
              <AddToList selection={selection} />
              {list !== null && <RemoveFromList selection={selection} list={list} />}
              <Button size="xs" variant="default" onClick={() => setIsUntracking(true)}>
                Untrack
              </Button>
              <Button size="xs" variant="default" loading={csv.isPending} onClick={() => csv.mutate()}>
                CSV
              </Button>
              <Button size="xs" variant="subtle" color="gray" onClick={clear}>
                Clear
              </Button>
            </Group>
          </>
        )}
      </fieldset>
    </section>
  );
}

const listSelectedIds = ({ selected }: Selection<TrackedRow>) => selected.map(({ channel_id }) => channel_id);

function AddToList({ selection }: Pick<SelectionBarProps, "selection">) {
  const { data } = trpc.lists.all.useQuery();
  const button = useRef<HTMLButtonElement>(null);
  const [isNew, setIsNew] = useState(false);
  const { add } = useListChange();
  const addTo = ({ id, name }: CreatorList) =>
    add.mutate(
      { id, channel_ids: listSelectedIds(selection) },
      {
        onSuccess({ changed }) {
          selection.clear();
          void toast(
            changed === 0 ? `${name} had them already` : `Added ${formatQuantity(changed, "creator")} to ${name}`,
          );
        },
      },
    );
  return (
    <>
      <Dropdown button={button} text="Add to list ▾" title="Lists">
        {data?.lists.map((one) => (
          <DropdownItem key={one.id} onClick={() => addTo(one)}>
            {one.name}
          </DropdownItem>
        ))}
        <DropdownItem onClick={() => setIsNew(true)}>+ New list…</DropdownItem>
      </Dropdown>
      <ListDialog
        request={isNew ? { kind: "new", from: button.current } : null}
        onClose={() => setIsNew(false)}
        onCreated={addTo}
      />
    </>
  );
}

function RemoveFromList({ selection, list }: { selection: Selection<TrackedRow>; list: string }) {
  const { remove } = useListChange((removed) => {
    selection.clear();
    void toast(`Removed ${formatQuantity(removed, "creator")} from the list. They stay tracked.`);
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={remove.isPending}
      onClick={() => remove.mutate({ id: list, channel_ids: listSelectedIds(selection) })}
    >
      Remove from list
    </Button>
  );
}

interface UntrackManyProps {
  selection: Selection<TrackedRow>;
  onCancel: () => void;
}

/** Confirms untracking the selected creators, then offers undo, which restores lists and notes too. */
function UntrackMany({ selection: { selected, clear }, onCancel }: UntrackManyProps) {
  const queryClient = useQueryClient();
  const { trackMany } = useTrackMany();
  const untrack = trpc.creators.untrackMany.useMutation({
    onSuccess({ channel_ids }) {
      markTracked(queryClient, channel_ids, false);
      clear();
      void toast(
        <Undo
          text={`Stopped tracking ${formatQuantity(channel_ids.length, "creator")}.`}
          undo={() => trackMany.mutateAsync({ channel_ids })}
          describe={describeUndo}
          cost="1 request"
          hasFocus
        />,
        "undo",
      );
    },
    onSettled: useFollowUp(),
  });
  return (
    <>
      <div className={styles.stop}>
        <Text size="sm" fw={600}>
          Untrack {formatQuantity(selected.length, "creator")}?
        </Text>
        <Text size="xs" c="dimmed">
          No more snapshots and alerts. Past alerts stay; the history leaves the console. Undo uses 1 request and starts
          a new history.
        </Text>
        {untrack.error && (
          <Text size="xs" c="var(--danger)" role="alert">
            {toFailure(untrack.error).message}
          </Text>
        )}
      </div>
      <Group gap={4}>
        <Button size="xs" variant="default" ref={focus} onClick={onCancel}>
          Keep tracking
        </Button>
        <Button
          size="xs"
          color="red.9"
          loading={untrack.isPending}
          onClick={() => untrack.mutate({ channel_ids: selected.map(({ channel_id }) => channel_id) })}
        >
          Untrack
        </Button>
      </Group>
    </>
  );
}

function describeUndo({ results }: TrackListAnswer): string {
  const back = results.filter((result) => "creator" in result).length;
  const missing = results.length - back;
  const unread = missing > 0 ? ` ${formatQuantity(missing, "creator")} could not be read.` : "";
  return `Tracking ${formatQuantity(back, "creator")} again.${unread}`;
}
