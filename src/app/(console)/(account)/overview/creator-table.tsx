"use client";

import { UnstyledButton } from "@mantine/core";
import { formatDay, formatGrowth } from "@/core/format";
import { systemClock, toUtcDay } from "@/core/time";
import { getSeverityLevel, LABEL_WORDS } from "@/features/alerts/rules";
import type { TrackedQuery, TrackedRow } from "@/features/creators/table.schema";
import { CreatorName } from "../../_ui/creator-name";
import { getDisplayName } from "../../_ui/names";
import { Count, GrowthRange } from "../../_ui/numbers";
import { ScoreValue } from "../../_ui/score-value";
import { Sparkline } from "../../_ui/sparkline";
import type { Selection } from "../_tracking/use-selection";
import styles from "./creator-table.module.css";

type Sort = TrackedQuery["sort"];

interface Order {
  sort: Sort;
  descending: boolean;
  onSort: (sort: Sort, descending: boolean) => void;
}

interface CreatorTableProps extends Order {
  creators: readonly TrackedRow[];
  selection: Selection<TrackedRow>;
  /** The position of the first row, from 1. */
  first: number;
}

/** Tracked creators, one a row. Columns leave on narrow screens; today's alerts are marked in their rows. */
export function CreatorTable({ creators, selection, first, ...order }: CreatorTableProps) {
  const ids = creators.map(({ channel_id }) => channel_id);
  const count = selection.selected.length;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <td className={styles.place} />
          <td className={styles.check}>
            <SelectBox
              label="Select all rows"
              checked={count > 0 && count === ids.length}
              isPartial={count > 0 && count < ids.length}
              onChange={(checked) => selection.select(ids, checked)}
            />
          </td>
          <Heading sort="name" title="Creator" order={order} />
          <th scope="col" className={styles.middle} title="Every line has the same scale: −10% to +40%">
            30 days
          </th>
          <Heading sort="subscribers" title="Subscribers" className={styles.wide} order={order} />
          <Heading sort="growth_1d" title="1 day" className={styles.middle} order={order} />
          <Heading sort="growth_7d" title="7 days" order={order} />
          <th scope="col" className={`${styles.number} ${styles.wide}`}>
            28 days
          </th>
          <th scope="col" className={styles.widest}>
            Main reason
          </th>
          <Heading sort="score" title="Score" order={order} />
        </tr>
      </thead>
      <tbody>
        {creators.map((creator, at) => (
          <Row key={creator.channel_id} creator={creator} selection={selection} position={first + at} />
        ))}
      </tbody>
    </table>
  );
}

/** A sortable column header: largest first (names A to Z), then reversed. */
function Heading({
  sort,
  title,
  className = "",
  order,
}: {
  sort: Sort;
  title: string;
  className?: string;
  order: Order;
}) {
  const isSorted = order.sort === sort;
  const direction = order.descending ? "descending" : "ascending";
  const next = isSorted ? !order.descending : sort !== "name";
  const isNumber = !["name", "score"].includes(sort);
  return (
    <th
      scope="col"
      className={`${className} ${isNumber ? styles.number : ""}`}
      aria-sort={isSorted ? direction : "none"}
    >
      <UnstyledButton className={styles.sort} onClick={() => order.onSort(sort, next)}>
        {title}
        {isSorted && <span aria-hidden="true">{order.descending ? " ↓" : " ↑"}</span>}
      </UnstyledButton>
    </th>
  );
}

type RowProps = Pick<CreatorTableProps, "selection"> & { creator: TrackedRow; position: number };

function Row({ creator, selection, position }: RowProps) {
  const { last_alert: alert, growth } = creator;
  const month = growth.find(({ days }) => days === 28);
  const isToday = alert?.day === toUtcDay(systemClock.now());
  const color = isToday ? getSeverityLevel(alert.severity).color : undefined;
  return (
    <tr data-alert={isToday || undefined} style={{ ["--alert" as string]: color }}>
      <td className={styles.place}>{position}</td>
      <td className={styles.check}>
        <SelectBox
          label={`Select ${getDisplayName(creator)}`}
          checked={selection.isSelected(creator.channel_id)}
          onChange={(checked) => selection.select([creator.channel_id], checked)}
        />
      </td>
      <th scope="row" className={styles.creator}>
        <CreatorName creator={creator} isTracked>
          <div className={styles.under}>
            <span>
              <Count value={creator.subscribers} counts={creator.counts} />
              {creator.subscribers !== null && " subscribers"}
            </span>
            {isToday && <Alert creator={creator} />}
          </div>
        </CreatorName>
      </th>
      <td className={styles.middle}>
        <Sparkline counts={creator.trend} />
      </td>
      <td className={`${styles.number} ${styles.wide}`}>
        <Count value={creator.subscribers} counts={creator.counts} isBrief />
      </td>
      <td className={`${styles.number} ${styles.middle}`}>
        <GrowthRange percent={creator.growth_1d_percent} growth={growth} days={1} />
      </td>
      <td className={styles.number}>
        <GrowthRange percent={creator.growth_7d_percent} growth={growth} days={7} />
      </td>
      <td className={`${styles.number} ${styles.wide}`}>
        <GrowthRange percent={month?.percent ?? null} growth={growth} days={28} />
      </td>
      <td className={`${styles.reason} ${styles.widest}`}>
        {alert && <Alert creator={creator} />}
        <span>{creator.reason ?? "–"}</span>
      </td>
      <td>
        <ScoreValue {...creator} />
      </td>
    </tr>
  );
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** True when only some of several are selected. */
  isPartial?: boolean;
  onChange: (checked: boolean) => void;
}

/** Selects a row, or all of them. A plain field, because the overview has many. */
function SelectBox({ label, checked, isPartial = false, onChange }: SelectBoxProps) {
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        ref={(field) => {
          if (field) field.indeterminate = isPartial;
        }}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </label>
  );
}

/** The latest alert: today's with its severity, an earlier one with its day. */
function Alert({ creator: { last_alert: alert } }: { creator: TrackedRow }) {
  if (!alert) return null;
  const isToday = alert.day === toUtcDay(systemClock.now());
  return (
    <span className={styles.alert} data-today={isToday || undefined}>
      <span className={styles.square} style={{ backgroundColor: getSeverityLevel(alert.severity).color }} aria-hidden />
      <span className={styles.severity}>{alert.severity}</span> {isToday ? "today" : formatDay(alert.day)},{" "}
      {formatGrowth(alert.percent)}
      {isToday && alert.label && `, ${LABEL_WORDS[alert.label].toLowerCase()}`}
    </span>
  );
}
