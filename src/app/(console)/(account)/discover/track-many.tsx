"use client";

import { Box, Button, Text } from "@mantine/core";
import { formatQuantity } from "@/core/format";
import { CountedFailure } from "../_tracking/counted-failure";
import styles from "./track-many.module.css";
import type { RowActions } from "./use-rows";

/** Tracks all shown creators that are not tracked yet. */
export function TrackAll({ untracked, track, trackMany }: RowActions) {
  if (untracked.length < 2) return null;
  return (
    <Button size="xs" variant="default" loading={trackMany.isPending} onClick={() => track(untracked)}>
      Track all ({untracked.length}) · 1 request
    </Button>
  );
}

/** The bar that floats while creators are selected. */
export function SelectionBar({ selected, clear, track, trackMany }: RowActions) {
  if (selected.length === 0) return null;
  return (
    <Box className={styles.bar} role="group" aria-label="Selected creators">
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
      <Button size="xs" loading={trackMany.isPending} onClick={() => track(selected)}>
        Track selected ({selected.length}) · 1 request
      </Button>
    </Box>
  );
}

/** The result of tracking several. Failed rows show why and stay selected. */
export function TrackOutcome({ trackMany }: RowActions) {
  const { data, error, variables } = trackMany;
  const tracked = data?.results.filter((result) => "creator" in result).length ?? 0;
  const failed = (data?.results.length ?? 0) - tracked;
  return (
    <>
      <Text component="div" size="sm" role="status" className={styles.outcome}>
        {data && `Now tracking ${formatQuantity(tracked, "more creator")}.`}
        {failed > 0 && ` ${formatQuantity(failed, "creator")} could not be tracked: see the rows.`}
      </Text>
      {error && variables && (
        <CountedFailure
          error={error}
          retry={() => trackMany.mutate(variables)}
          isRetryCounted
          kept="Your selection is kept."
        />
      )}
    </>
  );
}
