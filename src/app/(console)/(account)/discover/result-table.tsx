"use client";

import { Checkbox, Table, UnstyledButton } from "@mantine/core";
import { formatQuantity } from "@/core/format";
import type { FoundCreator } from "@/features/discovery/schema";
import { CreatorName } from "../../_ui/creator-name";
import { getDisplayName } from "../../_ui/names";
import { Count, GrowthRange } from "../../_ui/numbers";
import { getMainReason } from "../../_ui/score-parts";
import { ScoreValue } from "../../_ui/score-value";
import { Sparkline } from "../../_ui/sparkline";
import { formatSince, groupCreators } from "./groups";
import styles from "./result-table.module.css";
import type { Sort } from "./search";
import { TrackButton } from "./track-button";
import type { RowActions } from "./use-rows";

interface ResultTableProps {
  creators: readonly FoundCreator[];
  sort: Sort;
  onSort: (sort: Sort) => void;
  actions: RowActions;
  onCountry: (country: string) => void;
}

/** Found creators as a table, in groups. */
export function ResultTable({ creators, sort, onSort, actions, onCountry }: ResultTableProps) {
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
          {heading("score", "Score")}
          <Table.Th scope="col" className={styles.widest}>
            Main reason
          </Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      {groupCreators(creators).map(({ title, note, creators: group }) => (
        <Table.Tbody key={title}>
          {title && (
            <Table.Tr className={styles.group}>
              <Table.Th scope="rowgroup" colSpan={8}>
                {title} <span className={styles.note}>{note}</span>
              </Table.Th>
            </Table.Tr>
          )}
          {group.map((creator) => (
            <Row key={creator.channel_id} creator={creator} actions={actions} onCountry={onCountry} />
          ))}
        </Table.Tbody>
      ))}
    </Table>
  );
}

interface RowProps {
  creator: FoundCreator;
  actions: RowActions;
  onCountry: (country: string) => void;
}

function Row({ creator, actions, onCountry }: RowProps) {
  const { channel_id, is_tracked } = creator;
  const isSelected = actions.isSelected(channel_id);
  return (
    <Table.Tr data-selected={isSelected || undefined}>
      <Table.Td className={styles.check}>
        {!is_tracked && (
          <Checkbox
            size="xs"
            aria-label={`Select ${getDisplayName(creator)}`}
            checked={isSelected}
            onChange={({ currentTarget: { checked } }) => actions.select([channel_id], checked)}
          />
        )}
      </Table.Td>
      <Table.Th scope="row" className={styles.creator}>
        <CreatorName creator={creator} isTracked={creator.is_tracked} onCountry={onCountry} />
        <span className={styles.narrow}>
          <Count value={creator.subscribers} counts={creator.counts} />
          {creator.subscribers !== null && " subscribers"}
        </span>
      </Table.Th>
      <Table.Td className={styles.wide}>
        {creator.score_basis === "history" ? (
          <Sparkline counts={creator.trend} />
        ) : (
          <span className={styles.since}>{formatSince(creator)}</span>
        )}
      </Table.Td>
      <Table.Td className={`${styles.number} ${styles.wide}`}>
        <Count value={creator.subscribers} counts={creator.counts} />
      </Table.Td>
      <Table.Td className={styles.number}>
        <GrowthRange percent={creator.growth_7d_percent} growth={creator.growth} days={7} />
      </Table.Td>
      <Table.Td>
        <ScoreValue {...creator} />
      </Table.Td>
      <Table.Td className={`${styles.reason} ${styles.widest}`}>{getMainReason(creator) ?? "–"}</Table.Td>
      <Table.Td className={styles.action}>
        <TrackButton
          {...creator}
          refused={actions.refused[channel_id]}
          onTracked={() => actions.onTracked(channel_id)}
        />
      </Table.Td>
    </Table.Tr>
  );
}
