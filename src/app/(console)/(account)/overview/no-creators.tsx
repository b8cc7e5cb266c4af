"use client";

import { Button } from "@mantine/core";
import Link from "next/link";
import { formatCurl } from "@/app/curl";
import { EmptyState, NoMatches } from "../../_ui/empty-state";

interface NoCreatorsProps {
  isFiltered: boolean;
  /** True for the creators of a list. */
  isList: boolean;
  clear: () => void;
  appUrl: string;
}

/** In place of the table while no creator is found. */
export function NoCreators({ isFiltered, isList, clear, appUrl }: NoCreatorsProps) {
  if (isFiltered)
    return <NoMatches title="No creators match" text="The filters hide the other creators you track." clear={clear} />;
  if (isList)
    return (
      <EmptyState title="No creators in this list" text="Select creators in All, then choose Add to list.">
        <Button variant="default" onClick={clear}>
          Show all creators
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState
      title="You track no creators yet"
      text="We read every tracked creator once a day. You get an alert when one grows more than 10% in a day."
      command={formatCurl(`${appUrl}/api/track`, [
        `-H "Content-Type: application/json"`,
        `-d '{"channel_id":"<HANDLE>"}'`,
      ])}
    >
      <Button component={Link} href="/discover">
        Find creators to track
      </Button>
    </EmptyState>
  );
}
