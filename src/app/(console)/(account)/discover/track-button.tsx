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

/** Tracks a found creator, with Undo while the page is open. */
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
      {error && <CountedFailure error={error} retry={() => (is_tracked ? untrack : track).mutate(input)} />}
    </div>
  );
}

/** Both mutations are optimistic and run in order, so the last click wins. */
function useTracking(channelId: string) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const mark = (isTracked: boolean) => markTracked(queryClient, channelId, isTracked);
  const scope = { id: `track ${channelId}` };
  const onSettled = (_answer: unknown, error: unknown) => {
    // Without a connection the router would leave the page, and the results with it.
    if (error && failureOf(error).code === null) return;
    for (const query of [utils.creators, utils.usage, utils.keys.firstSteps])
      void query.invalidate(undefined, { refetchType: "active" });
    // The router may have cached the creator's page.
    router.refresh();
  };
  const untrack = trpc.creators.untrack.useMutation({
    scope,
    onMutate: () => mark(false),
    // Not found: tracking had failed, so there is nothing to undo.
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
