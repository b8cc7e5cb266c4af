"use client";

import { Button } from "@mantine/core";
import { IconCheck, IconPlus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { FoundCreator } from "@/features/discovery/schema";
import { getDisplayName } from "../../_ui/names";
import { CountedFailure } from "../_tracking/counted-failure";
import { useTracking } from "../_tracking/use-tracking";
import styles from "./track-button.module.css";
import type { RowActions } from "./use-rows";

export interface RowProps {
  creator: FoundCreator;
  actions: RowActions;
}

/** Loaded when first opened. */
const UntrackDialog = dynamic(() => import("../_tracking/untrack-dialog").then(({ UntrackDialog }) => UntrackDialog), {
  ssr: false,
});

/** Tracks or untracks a creator. One tracked just now has no history, so Undo needs no confirmation. */
export function TrackButton({ creator, actions }: RowProps) {
  const { channel_id, is_tracked } = creator;
  const refused = actions.refused[channel_id];
  const name = getDisplayName(creator);
  const button = useRef<HTMLButtonElement>(null);
  const [isNew, setIsNew] = useState(false);
  const [dialog, setDialog] = useState<"unopened" | "open" | "closed">("unopened");
  const { track, untrack } = useTracking(channel_id);
  const change = is_tracked ? untrack : track;
  const toggleTracking = () => {
    if (is_tracked && !isNew) return setDialog("open");
    setIsNew(!is_tracked);
    actions.onTracked(channel_id);
    change.mutate({ channel_id });
  };
  const closeDialog = () => setDialog("closed");
  return (
    <div className={styles.track}>
      <div className={styles.state}>
        <span role="status">
          {is_tracked && (
            <span className={styles.tracked}>
              <IconCheck size={16} aria-hidden /> <span className={styles.text}>Tracked</span>
              <span className="visually-hidden"> {name}</span>
            </span>
          )}
        </span>
        <Button
          ref={button}
          size="xs"
          variant={is_tracked ? "subtle" : "default"}
          color={is_tracked ? "gray" : undefined}
          className={styles.button}
          data-tracked={is_tracked || undefined}
          onClick={toggleTracking}
        >
          {!is_tracked && <IconPlus size={18} aria-hidden className={styles.plus} />}
          <span className={is_tracked ? undefined : styles.text}>
            {is_tracked ? (isNew ? "Undo" : "Untrack") : "Track"}
          </span>
          <span className="visually-hidden"> {name}</span>
        </Button>
      </div>
      {change.error && (
        <div className={styles.failure}>
          <CountedFailure
            error={change.error}
            retry={() => change.mutate({ channel_id })}
            isRetryCounted={!is_tracked}
          />
        </div>
      )}
      {refused && !is_tracked && <p className={styles.refused}>{refused}</p>}
      {dialog !== "unopened" && (
        <UntrackDialog
          channelId={channel_id}
          name={name}
          opened={dialog === "open"}
          onClose={closeDialog}
          onUntracked={closeDialog}
          onClosed={() => button.current?.focus()}
        />
      )}
    </div>
  );
}
