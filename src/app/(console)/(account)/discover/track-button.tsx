"use client";

import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { FoundCreator } from "@/features/discovery/schema";
import { getDisplayName } from "../../_ui/names";
import { CountedFailure } from "../_tracking/counted-failure";
import { useTracking } from "../_tracking/use-tracking";
import styles from "./track-button.module.css";

/** Loaded when first opened. */
const UntrackDialog = dynamic(() => import("../_tracking/untrack-dialog").then(({ UntrackDialog }) => UntrackDialog), {
  ssr: false,
});

interface TrackButtonProps extends Pick<FoundCreator, "channel_id" | "name" | "is_tracked"> {
  /** Why tracking failed. */
  refused: string | undefined;
  /** Called when tracked or undone. */
  onTracked: () => void;
}

/** Tracks or untracks a creator. One tracked just now has no history, so Undo needs no confirmation. */
export function TrackButton({ refused, onTracked, ...creator }: TrackButtonProps) {
  const { channel_id, is_tracked } = creator;
  const name = getDisplayName(creator);
  const button = useRef<HTMLButtonElement>(null);
  const [isNew, setIsNew] = useState(false);
  const [dialog, setDialog] = useState<"unopened" | "open" | "closed">("unopened");
  const { track, untrack } = useTracking(channel_id);
  const input = { channel_id };
  const { error } = is_tracked ? untrack : track;
  const toggleTracking = () => {
    if (is_tracked && !isNew) return setDialog("open");
    setIsNew(!is_tracked);
    onTracked();
    if (is_tracked) untrack.mutate(input);
    else track.mutate(input);
  };
  const word = is_tracked ? (isNew ? "Undo" : "Stop") : "Track";
  return (
    <div className={styles.track}>
      <div className={styles.state}>
        <span role="status">{is_tracked && <Tracked name={name} />}</span>
        <Button
          ref={button}
          size="xs"
          variant={is_tracked ? "subtle" : "default"}
          color={is_tracked ? "gray" : undefined}
          className={styles.button}
          onClick={toggleTracking}
        >
          {word}
          <span className="visually-hidden">
            {is_tracked && " tracking"} {name}
          </span>
        </Button>
      </div>
      {error && (
        <div className={styles.failure}>
          <CountedFailure
            error={error}
            retry={() => (is_tracked ? untrack : track).mutate(input)}
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
          onClose={() => setDialog("closed")}
          onUntracked={() => setDialog("closed")}
          onClosed={() => button.current?.focus()}
        />
      )}
    </div>
  );
}

function Tracked({ name }: { name: string }) {
  return (
    <span className={styles.tracked}>
      <IconCheck size={16} aria-hidden /> Tracked<span className="visually-hidden"> {name}</span>
    </span>
  );
}
