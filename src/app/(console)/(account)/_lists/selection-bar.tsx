import { Button, Group, Modal, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatQuantity } from "@/core/format";
import type { TrackListAnswer } from "@/features/creators/service";
import type { TrackedRow } from "@/features/creators/table.service";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Confirmation } from "../../_ui/confirmation";
import { saveTable } from "../../_ui/csv";
import { useIsSettling } from "../../_ui/query-state";
import { QuietButton } from "../../_ui/quiet-button";
import { trySaving } from "../../_ui/save-button";
import { Undo } from "../../_ui/undo";
import type { Selection } from "../_tracking/use-selection";
import { markTracked, useFollowUp, useTrackMany } from "../_tracking/use-tracking";
import { AddToList } from "./add-to-list";
import { SelectBar } from "./select-bar";
import { useListChange } from "./use-list-change";

interface SelectionBarProps {
  selection: Selection<TrackedRow>;
  list: string | null;
}

/** Bulk actions, shown while creators are selected. */
export function SelectionBar({ selection, list }: SelectionBarProps) {
  const isBusy = useIsSettling();
  const { selected, clear } = selection;
  const { remove } = useListChange((removed) => {
    selection.clear();
    void toast(`Removed ${formatQuantity(removed, "creator")} from the list. They stay tracked.`);
  });
  const [isUntracking, setIsUntracking] = useState(false);
  const { mutate: save, isPending } = useMutation({ mutationFn: () => trySaving(() => saveTable(selected)) });
  return (
    <SelectBar selected={selected.length} isBusy={isBusy}>
      <Group gap={4}>
        <AddToList getIds={() => listIds(selection)} onAdded={clear} />
        {list !== null && (
          <QuietButton
            loading={remove.isPending}
            onClick={() => remove.mutate({ id: list, channel_ids: listIds(selection) })}
          >
            Remove from list
          </QuietButton>
        )}
        <QuietButton aria-haspopup="dialog" onClick={() => setIsUntracking(true)}>
          Untrack
        </QuietButton>
        <QuietButton loading={isPending} onClick={() => save()}>
          CSV
        </QuietButton>
        <Button size="xs" variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      </Group>
      <Modal opened={isUntracking} onClose={() => setIsUntracking(false)} centered withCloseButton={false}>
        <UntrackMany selection={selection} onCancel={() => setIsUntracking(false)} />
      </Modal>
    </SelectBar>
  );
}

const listIds = ({ selected }: Selection<TrackedRow>) => selected.map(({ channel_id }) => channel_id);

/** Confirms untracking the selected creators, then offers undo, which restores lists and notes too. */
function UntrackMany({ selection, onCancel }: Pick<SelectionBarProps, "selection"> & { onCancel: () => void }) {
  const { selected, clear } = selection;
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
    <Confirmation
      title={`Untrack ${formatQuantity(selected.length, "creator")}?`}
      mutation={untrack}
      keep="Keep tracking"
      onKeep={onCancel}
      action="Untrack"
      onConfirm={() => untrack.mutate({ channel_ids: listIds(selection) })}
    >
      <Text size="sm">
        No more snapshots and alerts. Past alerts stay; the history leaves the console. Undo uses 1 request and starts a
        new history.
      </Text>
    </Confirmation>
  );
}

function describeUndo({ results }: TrackListAnswer): string {
  const back = results.filter((result) => "creator" in result).length;
  const missing = results.length - back;
  const unread = missing > 0 ? ` ${formatQuantity(missing, "creator")} could not be read.` : "";
  return `Tracking ${formatQuantity(back, "creator")} again.${unread}`;
}
