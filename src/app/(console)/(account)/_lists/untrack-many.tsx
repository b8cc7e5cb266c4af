"use client";

import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { formatQuantity } from "@/core/format";
import type { TrackListAnswer } from "@/features/creators/schema";
import type { TrackedRow } from "@/features/creators/table.schema";
import { markTracked } from "../../_client/discovered";
import { toFailure } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { focus, Undo } from "../../_ui/undo";
import type { Selection } from "../_tracking/use-selection";
import { useFollowUp, useTrackMany } from "../_tracking/use-tracking";
import styles from "./selection-bar.module.css";

interface UntrackManyProps {
  selection: Selection<TrackedRow>;
  onCancel: () => void;
}

/** Confirms untracking the selected creators, then offers undo, which restores lists and notes too. */
export function UntrackMany({ selection: { selected, clear }, onCancel }: UntrackManyProps) {
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
          Stop tracking {formatQuantity(selected.length, "creator")}?
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
          Stop tracking
        </Button>
      </Group>
    </>
  );
}

function describeUndo({ results }: z.output<typeof TrackListAnswer>): string {
  const back = results.filter((result) => "creator" in result).length;
  const missing = results.length - back;
  const unread = missing > 0 ? ` ${formatQuantity(missing, "creator")} could not be read.` : "";
  return `Tracking ${formatQuantity(back, "creator")} again.${unread}`;
}
