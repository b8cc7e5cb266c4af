"use client";

import { Anchor, Table, Text, UnstyledButton } from "@mantine/core";
import Link from "next/link";
import type { TrackedQuery, TrackedRow } from "@/features/creators/table.schema";
import { LevelBadge } from "../../_ui/badges";
import { Count, Growth, staleDay } from "../../_ui/numbers";
import { shownName } from "../../_ui/shown-name";
import { Sparkline } from "../../_ui/sparkline";
import { SELECT_CELL, SelectBox } from "../_lists/select-box";
import type { Selection } from "../_lists/use-selection";
import styles from "./overview.module.css";

type Sort = TrackedQuery["sort"];

interface Column {
  sort: Sort;
  title: string;
  className?: string;
}

const NAME: Column = { sort: "name", title: "Creator" };
const SUBSCRIBERS: Column = { sort: "subscribers", title: "Subscribers", className: styles.number };
const OURS: Column[] = [
  { sort: "growth_1d", title: "1 day", className: `${styles.number} ${styles.wide}` },
  { sort: "growth_7d", title: "7 days", className: styles.number },
  { sort: "score", title: "Score", className: `${styles.number} ${styles.wide}` },
];

interface CreatorTableProps {
  creators: readonly TrackedRow[];
  selection: Selection;
  sort: Sort;
  descending: boolean;
  onSort: (sort: Sort, descending: boolean) => void;
}

/** Tracked creators; platform numbers and our own figures stand apart. */
export function CreatorTable({ creators, selection, ...order }: CreatorTableProps) {
  const ids = creators.map(({ channel_id }) => channel_id);
  const count = selection.selected.length;
  const heading = (column: Column) => <Heading key={column.sort} column={column} order={order} />;
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs" className={styles.narrow}>
        Subscriber counts come from the platform. Growth, score and level are our own.
      </Text>
      <Table stickyHeader stickyHeaderOffset={56} highlightOnHover className={styles.table}>
        <Table.Thead>
          <Table.Tr className={styles.groups}>
            <td />
            <td />
            <Table.Th scope="colgroup" colSpan={2} className={styles.number}>
              Platform numbers
            </Table.Th>
            <Table.Th scope="colgroup" colSpan={4}>
              Calculated by us
            </Table.Th>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="col" className={SELECT_CELL}>
              <SelectBox
                label="Select all rows"
                checked={count > 0 && count === ids.length}
                isPartial={count > 0 && count < ids.length}
                onChange={(checked) => selection.select(ids, checked)}
              />
            </Table.Th>
            {heading(NAME)}
            <Table.Th scope="col" className={styles.wide}>
              Last 30 days
            </Table.Th>
            {heading(SUBSCRIBERS)}
            {OURS.map(heading)}
            <Table.Th scope="col" className={styles.wide}>
              Level
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {creators.map((creator) => (
            <Row key={creator.channel_id} creator={creator} selection={selection} />
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

interface HeadingProps {
  column: Column;
  order: Omit<CreatorTableProps, "creators" | "selection">;
}

/** A sortable column header: largest first (names A to Z), then reversed. */
function Heading({ column: { sort, title, className }, order }: HeadingProps) {
  const isSorted = order.sort === sort;
  const direction = order.descending ? "descending" : "ascending";
  const next = isSorted ? !order.descending : sort !== "name";
  return (
    <Table.Th scope="col" className={className} aria-sort={isSorted ? direction : "none"}>
      <UnstyledButton className={styles.sort} onClick={() => order.onSort(sort, next)}>
        {title}
        <span aria-hidden="true" className={styles.arrow}>
          {isSorted && (order.descending ? "↓" : "↑")}
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}

function Row({ creator, selection }: { creator: TrackedRow; selection: Selection }) {
  const { channel_id, handle, status } = creator;
  const stale = staleDay(creator);
  return (
    <Table.Tr>
      <Table.Td>
        <SelectBox
          label={`Select ${shownName(creator)}`}
          checked={selection.isSelected(channel_id)}
          onChange={(checked) => selection.select([channel_id], checked)}
        />
      </Table.Td>
      <Table.Th scope="row" className={styles.creator}>
        {/* No prefetch: there may be a hundred rows. */}
        <Anchor
          component={Link}
          href={`/creators/${channel_id}`}
          prefetch={false}
          c="inherit"
          size="sm"
          fw={600}
        >
          {shownName(creator)}
        </Anchor>
        <Text size="xs" c="dimmed">
          {handle ?? channel_id}
          {status === "unavailable" && ", unavailable on the platform"}
          {stale && `, last snapshot ${stale}`}
        </Text>
        <span className={styles.narrow}>
          {creator.score === null ? (
            <Text span size="xs" c="dimmed">
              No score
            </Text>
          ) : (
            <>
              <LevelBadge level={creator.alert_level} />{" "}
              <Text span size="xs" c="dimmed">
                Score {creator.score}
              </Text>
            </>
          )}
        </span>
      </Table.Th>
      <Table.Td className={styles.wide}>
        <Sparkline counts={creator.trend} />
      </Table.Td>
      <Table.Td className={styles.number}>
        <Count value={creator.subscribers} counts={creator.counts} />
      </Table.Td>
      <Table.Td className={`${styles.number} ${styles.wide}`}>
        <Growth percent={creator.growth_1d_percent} />
      </Table.Td>
      <Table.Td className={styles.number}>
        <Growth percent={creator.growth_7d_percent} />
      </Table.Td>
      <Table.Td className={`${styles.number} ${styles.wide}`}>{creator.score ?? "–"}</Table.Td>
      <Table.Td className={styles.wide}>
        {creator.score !== null && <LevelBadge level={creator.alert_level} />}
      </Table.Td>
    </Table.Tr>
  );
}
