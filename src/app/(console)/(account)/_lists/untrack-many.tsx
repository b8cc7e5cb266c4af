"use client";

import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { Undo } from "@/app/(console)/_ui/undo";
import { formatQuantity } from "@/core/format";
import type { TrackedRow } from "@/features/creators/table.schema";
import { markTracked } from "../../_client/discovered";
import { toFailure } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import type { Selection } from "../_tracking/use-selection";
import { useFollowUp } from "../_tracking/use-tracking";
import styles from "./selection-bar.module.css";

interface UntrackManyProps {
  selection: Selection<TrackedRow>;
  onCancel: () => void;
}

/** Confirms untracking the selected creators, then offers undo. */
export function UntrackMany({ selection: { selected, clear }, onCancel }: UntrackManyProps) {
  const queryClient = useQueryClient();
  const count = formatQuantity(selected.length, "creator");
  const untrack = trpc.creators.untrackMany.useMutation({
    onSuccess({ channel_ids }) {
      markTracked(queryClient, channel_ids, false);
      clear();
      void toast(<Untracked channelIds={channel_ids} />, "undo");
    },
    onSettled: useFollowUp(),
  });
  return (
    <>
      <div className={styles.stop}>
        <Text size="sm" fw={600}>
          Stop tracking {count}?
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
        <Button size="xs" variant="default" ref={focusOnce} onClick={onCancel}>
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

/** The pressed button is gone, so the next gets the focus. */
const focusOnce = (button: HTMLButtonElement | null) => button?.focus();

/** The toast after untracking. Undo restores lists and notes too. */
function Untracked({ channelIds }: { channelIds: string[] }) {
  const queryClient = useQueryClient();
  const followUp = useFollowUp();
  const focus = useCallback(focusOnce, []);
  const track = trpc.creators.trackMany.useMutation({
    onSuccess({ results }) {
      const tracked = channelIds.filter((_, index) => "creator" in (results[index] ?? {}));
      markTracked(queryClient, tracked, true);
    },
    onSettled: followUp,
  });
  const back = track.data?.results.filter((result) => "creator" in result).length ?? 0;
  const missing = channelIds.length - back;
  return (
    <Undo
      text={`Stopped tracking ${formatQuantity(channelIds.length, "creator")}.`}
      mutation={track}
      undone={
        <>
          Tracking {formatQuantity(back, "creator")} again.
          {missing > 0 && ` ${formatQuantity(missing, "creator")} could not be read.`}
        </>
      }
      label={`${track.error ? "Try again" : "Undo"} · 1 request`}
      ref={focus}
      onUndo={() => track.mutate({ channel_ids: channelIds })}
    />
  );
}
