"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { EmptyState, NoMatches } from "../../_ui/empty-state";
import { SHOW_ALERTS, type TableState } from "./tracked-query";

interface NoCreatorsProps {
  state: TableState;
  isFiltered: boolean;
  clear: () => void;
  showAll: () => void;
}

/** In place of the table while no creator is found. */
export function NoCreators({ state, isFiltered, clear, showAll }: NoCreatorsProps) {
  if (isFiltered)
    return (
      <NoMatches
        order={2}
        title="No creators match"
        text="The filters hide the other creators you track."
        clear={clear}
      />
    );
  const all = (
    <Button variant="default" onClick={showAll}>
      Show all creators
    </Button>
  );
  if (state.show !== "")
    return (
      <EmptyState
        order={2}
        title={state.show === SHOW_ALERTS ? "No alerts today" : "Nothing has changed since your last visit"}
        text="The next daily run is at 06:00 UTC."
      >
        {all}
      </EmptyState>
    );
  if (state.list !== "")
    return (
      <EmptyState order={2} title="No creators in this list" text="Select creators in All, then choose Add to list.">
        {all}
      </EmptyState>
    );
  return (
    <EmptyState
      order={2}
      title="You track no creators yet"
      text="We read every tracked creator once a day. You get an alert when one grows more than 10% in a day."
    >
      <Button component={Link} href="/discover">
        Find creators to track
      </Button>
    </EmptyState>
  );
}
