"use client";

import { Checkbox, Table, UnstyledButton } from "@mantine/core";
import { formatQuantity } from "@/core/format";
import type { FoundCreator } from "@/features/discovery/schema";
import { CreatorName } from "../../_ui/creator-name";
import { Count, ExpectedRange, GrowthRange } from "../../_ui/numbers";
import { ScoreValue } from "../../_ui/score-value";
import { groupCreators } from "./groups";
import styles from "./result-table.module.css";
import { type RowProps, SelectCreator, Trend } from "./row-parts";
import type { Sort } from "./search";
import { TrackButton } from "./track-button";
import type { RowActions } from "./use-rows";

interface ResultTableProps {
  sort: Sort;
  onSort: (sort: Sort) => void;
  actions: RowActions;
}

/** Found creators as a table, in groups. */
export function ResultTable({ sort, onSort, actions }: ResultTableProps) {
  const untracked = actions.untracked.map(({ channel_id }) => channel_id);
  const heading = (by: Sort, title: string, className?: string) => (
    <Table.Th scope="col" className={className} aria-sort={sort === by ? "descending" : "none"}>
      <UnstyledButton className={styles.sort} onClick={() => onSort(by)}>
        {title}
        {sort === by && <span aria-hidden="true"> ↓</span>}
      </UnstyledButton>
    </Table.Th>
  );
  return (
    <Table className={styles.table} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          <Table.Td className={styles.check}>
            <Checkbox
              size="xs"
              aria-label={`Select all ${formatQuantity(untracked.length, "creator")} not tracked yet`}
              disabled={untracked.length === 0}
              checked={untracked.length > 0 && actions.selected.length === untracked.length}
              indeterminate={actions.selected.length > 0 && actions.selected.length < untracked.length}
              onChange={({ currentTarget: { checked } }) => actions.select(untracked, checked)}
            />
          </Table.Td>
          <Table.Th scope="col">Creator</Table.Th>
          <Table.Th scope="col" className={styles.wide} title="Every line has the same scale: −10% to +40%">
            30 days
          </Table.Th>
          {heading("subscribers", "Subscribers", `${styles.number} ${styles.wide}`)}
          {heading("growth_7d", "7 days", styles.number)}
          <Table.Th scope="col" className={`${styles.number} ${styles.wide}`}>
            28 days
          </Table.Th>
          <Table.Th scope="col" className={styles.number} title="Where its growth ends 8 times in 10">
            Next 7 days
          </Table.Th>
          {heading("score", "Score")}
          <Table.Th scope="col" className={styles.widest}>
            Main reason
          </Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      {groupCreators(actions.rows).map(({ title, note, creators: group }) => (
        <Table.Tbody key={title}>
          {title && (
            <Table.Tr className={styles.group}>
              <Table.Th scope="rowgroup" colSpan={10}>
                {title} <span className={styles.note}>{note}</span>
              </Table.Th>
            </Table.Tr>
          )}
          {group.map((creator) => (
            <Row key={creator.channel_id} creator={creator} actions={actions} />
          ))}
        </Table.Tbody>
      ))}
    </Table>
  );
}

function getMonthGrowth({ growth }: FoundCreator): number | null {
  return growth.find(({ days }) => days === 28)?.percent ?? null;
}

function Row({ creator, actions }: RowProps) {
  return (
    <Table.Tr data-selected={actions.isSelected(creator.channel_id) || undefined}>
      <Table.Td className={styles.check}>
        <SelectCreator creator={creator} actions={actions} size="xs" />
      </Table.Td>
      <Table.Th scope="row" className={styles.creator}>
        <CreatorName creator={creator} isTracked={creator.is_tracked} onCountry={actions.onCountry} />
        <span className={styles.narrow}>
          <Count value={creator.subscribers} counts={creator.counts} />
          {creator.subscribers !== null && " subscribers"}
        </span>
      </Table.Th>
      <Table.Td className={styles.wide}>
        <Trend creator={creator} className={styles.since} />
      </Table.Td>
      <Table.Td className={`${styles.number} ${styles.wide}`}>
        <Count value={creator.subscribers} counts={creator.counts} isBrief />
      </Table.Td>
      <Table.Td className={styles.number}>
        <GrowthRange percent={creator.growth_7d_percent} growth={creator.growth} days={7} />
      </Table.Td>
      <Table.Td className={`${styles.number} ${styles.wide}`}>
        <GrowthRange percent={getMonthGrowth(creator)} growth={creator.growth} days={28} />
      </Table.Td>
      <Table.Td className={styles.number}>
        <ExpectedRange range={creator.expected_7d} />
      </Table.Td>
      <Table.Td>
        <ScoreValue {...creator} isBrief />
      </Table.Td>
      <Table.Td className={`${styles.reason} ${styles.widest}`}>{creator.reason ?? "–"}</Table.Td>
      <Table.Td className={styles.action}>
        <TrackButton creator={creator} actions={actions} />
      </Table.Td>
    </Table.Tr>
  );
}
