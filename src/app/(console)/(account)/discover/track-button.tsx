"use client";

import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { markTracked } from "../../_client/discovered";
import { failureOf } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { CountedFailure } from "./counted-failure";
import styles from "./discover.module.css";
import type { FoundCreator } from "./result-card";

/** Tracks a found creator at once, and takes it back as long as the page is open. */
export function TrackButton({ channel_id, name, is_tracked }: FoundCreator) {
  const [isNew, setIsNew] = useState(false);
  const { track, untrack } = useTracking(channel_id);
  const input = { channel_id };
  const { error } = is_tracked ? untrack : track;
  const canUndo = is_tracked && isNew;
  return (
    <div className={styles.track}>
      <span role="status">
        {is_tracked && (
          <span className={styles.tracked}>
            <IconCheck size={16} aria-hidden /> Tracked<span className="visually-hidden"> {name}</span>
          </span>
        )}
      </span>
      {(canUndo || !is_tracked) && (
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setIsNew(true);
            if (canUndo) untrack.mutate(input);
            else track.mutate(input);
          }}
        >
          {canUndo ? "Undo" : "Track"}
          <span className="visually-hidden">
            {canUndo && " tracking"} {name}
          </span>
        </Button>
      )}
      {error && <CountedFailure error={error} />}
    </div>
  );
}

/** Both ways show at once and run one after the other, so that the last click is what holds. */
function useTracking(channelId: string) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const mark = (isTracked: boolean) => markTracked(queryClient, channelId, isTracked);
  const scope = { id: `track ${channelId}` };
  const onSettled = () => {
    for (const query of [utils.creators, utils.usage, utils.keys.firstSteps])
      void query.invalidate(undefined, { refetchType: "active" });
    // The creator's own page may be kept as one that is not there, or is.
    router.refresh();
  };
  const untrack = trpc.creators.untrack.useMutation({
    scope,
    onMutate: () => mark(false),
    // Tracking it had failed: then there is nothing to take back.
    onError: (error) => mark(failureOf(error).code !== "NOT_FOUND"),
    onSettled,
  });
  const track = trpc.creators.track.useMutation({
    scope,
    onMutate: () => {
      untrack.reset();
      mark(true);
    },
    onError: () => mark(false),
    onSettled,
  });
  return { track, untrack };
}
