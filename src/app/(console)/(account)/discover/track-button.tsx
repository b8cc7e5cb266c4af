import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useState } from "react";
import type { FoundCreator } from "@/features/discovery/service";
import { getDisplayName } from "../../_ui/names";
import { CountedFailure } from "../_tracking/counted-failure";
import { useTracking } from "../_tracking/use-tracking";
import type { RowActions } from "./results";
import styles from "./track-button.module.css";

/** Tracks a creator, or undoes that. One tracked before is untracked on its page. */
export function TrackButton({ creator, actions }: { creator: FoundCreator; actions: RowActions }) {
  const { channel_id, is_tracked } = creator;
  const refused = actions.refused[channel_id];
  const name = getDisplayName(creator);
  const [isNew, setIsNew] = useState(false);
  const { track, untrack } = useTracking(channel_id);
  const change = is_tracked ? untrack : track;
  const toggleTracking = () => {
    setIsNew(true);
    actions.onTracked(channel_id);
    change.mutate({ channel_id });
  };
  return (
    <div className={styles.track}>
      <span role="status">
        {is_tracked && (
          <span className={styles.tracked}>
            <IconCheck size={16} aria-hidden /> Tracked
            <span className="visually-hidden"> {name}</span>
          </span>
        )}
      </span>
      {(!is_tracked || isNew) && (
        <Button
          size="xs"
          variant={is_tracked ? "subtle" : "default"}
          color={is_tracked ? "gray" : undefined}
          className={styles.button}
          data-tracked={is_tracked || undefined}
          onClick={toggleTracking}
        >
          {is_tracked ? "Undo" : "Track"}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
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
    </div>
  );
}
