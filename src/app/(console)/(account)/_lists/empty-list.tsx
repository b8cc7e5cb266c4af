"use client";

import { Button } from "@mantine/core";
import { EmptyState } from "../../_ui/empty-state";

/** In place of the table while the shown list has no creators. */
export function EmptyList({ onAll }: { onAll: () => void }) {
  return (
    <EmptyState title="No creators in this list" text="Select creators in All, then choose Add to list.">
      <Button variant="default" onClick={onAll}>
        Show all creators
      </Button>
    </EmptyState>
  );
}
