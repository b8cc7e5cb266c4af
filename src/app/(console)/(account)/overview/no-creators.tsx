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
export function NoCreators({ state: { list, show }, isFiltered, clear, showAll }: NoCreatorsProps) {
  if (isFiltered)
    return <NoMatches title="No creators match" text="The filters hide the other creators you track." clear={clear} />;
  if (list === "" && show === "")
    return (
      <EmptyState
        title="You track no creators yet"
        text="We read every tracked creator once a day. You get an alert when one grows more than 10% in a day."
      >
        <Button component={Link} href="/discover">
          Find creators to track
        </Button>
      </EmptyState>
    );
  const [title, text] =
    show === ""
      ? ["No creators in this list", "Select creators in All, then choose Add to list."]
      : [
          show === SHOW_ALERTS ? "No alerts today" : "Nothing has changed since your last visit",
          "The next daily run is at 06:00 UTC.",
        ];
  return (
    <EmptyState title={title} text={text}>
      <Button variant="default" onClick={showAll}>
        Show all creators
      </Button>
    </EmptyState>
  );
}
