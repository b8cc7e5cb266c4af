import { Button } from "@mantine/core";
import styles from "./add.module.css";
import { formatState, type RowState } from "./rows";

interface StateFilterProps {
  counts: readonly [RowState, number][];
  /** The only state to show; null for all. */
  shown: RowState | null;
  onShow: (state: RowState | null) => void;
}

/** The number of entries in each state. A click shows those alone, another one all. */
export function StateFilter({ counts, shown, onShow }: StateFilterProps) {
  if (counts.length < 2) return null;
  return (
    <fieldset className={styles.filter} aria-label="Show">
      {counts.map(([state, count]) => (
        <Button
          key={state}
          size="compact-sm"
          radius="xl"
          variant="default"
          aria-pressed={shown === state}
          onClick={() => onShow(shown === state ? null : state)}
        >
          {formatState(state, count)}
        </Button>
      ))}
    </fieldset>
  );
}
