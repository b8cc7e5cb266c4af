"use client";

import { UnstyledButton } from "@mantine/core";
import { formatDay, formatGrowth } from "@/core/format";
import { type Day, systemClock, toUtcDay } from "@/core/time";
import type { TrackedQuery } from "@/features/creators/query.schema";
import type { TrackedRow } from "@/features/creators/table.service";
import { ScoreValue, Severity } from "../../_ui/badges";
import { CreatorCell } from "../../_ui/creator-name";
import { getDisplayName } from "../../_ui/names";
import { Count, ExpectedRange, GrowthRange } from "../../_ui/numbers";
import { chooseScale, type Scale, Sparkline } from "../../_ui/sparkline";
import type { Selection } from "../_tracking/use-selection";
import styles from "./creator-table.module.css";

type Sort = TrackedQuery["sort"];

export interface Order {
  sort: Sort;
  descending: boolean;
  onSort: (sort: Sort, descending: boolean) => void;
}

interface CreatorTableProps {
  creators: readonly TrackedRow[];
  first: number;
  /** Alerts from this UTC day on are marked in their rows. */
  alertsSince: Day;
  /** Left out for readers without a key, whose rows lead to the channels. */
  selection?: Selection<TrackedRow>;
  order?: Order;
}

/** Measured creators, one a row. Columns leave where there is no room; recent alerts are marked in their rows. */
export function CreatorTable({ creators, first, alertsSince, selection, order }: CreatorTableProps) {
  const scale = chooseScale(creators.map(({ trend }) => trend));
  return (
    <table className={styles.table} data-selecting={(selection && selection.selected.length > 0) || undefined}>
      <thead>
        <tr>
          <td className={styles.pick}>{selection && <SelectAll selection={selection} />}</td>
          <Heading sort="name" title="Creator" className={styles.creator} order={order} />
          <th scope="col" className={styles.trend}>
            30 days
            <small>−10 to +{scale}%</small>
          </th>
          <Heading sort="subscribers" title="Subs" className={styles.size} order={order} />
          <Heading sort="growth_1d" title="1 day" className={styles.day} order={order} />
          <Heading sort="growth_7d" title="7 days" className={styles.week} order={order} />
          <Heading sort="growth_28d" title="28 days" className={styles.month} order={order} />
          <Heading sort="expected" title="Expected" note="7 days, 8 in 10" className={styles.expected} order={order} />
          <th scope="col" className={styles.reason}>
            Main reason
          </th>
          <Heading sort="score" title="Score" className={styles.score} order={order} />
        </tr>
      </thead>
      <tbody>
        {creators.map((creator, at) => (
          <Row
            key={creator.channel_id}
            creator={creator}
            selection={selection}
            position={first + at}
            alertsSince={alertsSince}
            scale={scale}
          />
        ))}
      </tbody>
    </table>
  );
}

interface HeadingProps {
  sort: Sort;
  title: string;
  note?: string;
  className?: string;
  order?: Order;
}

/** A sortable column header: largest first (names A to Z), then reversed. */
export function Heading({ sort, title, note, className, order }: HeadingProps) {
  const isSorted = order?.sort === sort;
  const next = isSorted ? !order.descending : sort !== "name";
  const direction = isSorted ? (order.descending ? "descending" : "ascending") : "none";
  return (
    <th scope="col" className={className} aria-sort={order && direction}>
      {order ? (
        <UnstyledButton className={styles.sort} onClick={() => order.onSort(sort, next)}>
          {title}
          {isSorted && <span aria-hidden="true">{order.descending ? " ↓" : " ↑"}</span>}
        </UnstyledButton>
      ) : (
        title
      )}
      {note && <small>{note}</small>}
    </th>
  );
}

type RowProps = Pick<CreatorTableProps, "selection" | "alertsSince"> & {
  creator: TrackedRow;
  position: number;
  /** The upper end of the sparklines in percent. */
  scale: Scale;
};

function Row({ creator, selection, position, alertsSince, scale }: RowProps) {
  const { last_alert, growth } = creator;
  const alert = last_alert && last_alert.day >= alertsSince ? last_alert : null;
  const week = <GrowthRange percent={creator.growth_7d_percent} growth={growth} days={7} />;
  return (
    <tr data-severity={alert?.severity}>
      <td className={styles.pick}>
        <span className={styles.place}>{position}</span>
        {selection && <SelectRow creator={creator} selection={selection} />}
      </td>
      <th scope="row" className={styles.creator}>
        <CreatorCell creator={creator} isTracked={selection !== undefined} brief={alert && <AlertLine alert={alert} />}>
          <Count value={creator.subscribers} counts={creator.counts} />
        </CreatorCell>
      </th>
      <td className={styles.trend}>
        <Sparkline counts={creator.trend} max={scale} />
      </td>
      <td className={styles.size}>
        <Count value={creator.subscribers} counts={creator.counts} isBrief />
      </td>
      <td className={styles.day}>
        <GrowthRange percent={creator.growth_1d_percent} growth={growth} days={1} />
      </td>
      <td className={styles.week}>{week}</td>
      <td className={styles.month}>
        <GrowthRange percent={growth.find(({ days }) => days === 28)?.percent ?? null} growth={growth} days={28} />
      </td>
      <td className={styles.expected}>
        <span className={styles.above}>{week}</span>
        <ExpectedRange range={creator.expected_7d} />
      </td>
      <td className={styles.reason}>
        {alert && <AlertLine alert={alert} />}
        <span className={styles.why}>{creator.reason ?? "–"}</span>
      </td>
      <td className={styles.score}>
        <ScoreValue {...creator} />
      </td>
    </tr>
  );
}

interface SelectProps {
  selection: Selection<Named>;
}

type Named = Pick<TrackedRow, "channel_id" | "name">;

/** Selects the rows of the page, also those of the other table. */
export function SelectAll({ selection, label = "Select all rows" }: SelectProps & { label?: string }) {
  const count = selection.selected.length;
  return (
    <SelectBox
      label={label}
      checked={count > 0 && count === selection.ids.length}
      isPartial={count > 0 && count < selection.ids.length}
      onChange={(checked) => selection.select(selection.ids, checked)}
    />
  );
}

export function SelectRow({ creator, selection }: SelectProps & { creator: Named }) {
  return (
    <SelectBox
      label={`Select ${getDisplayName(creator)}`}
      checked={selection.isSelected(creator.channel_id)}
      onChange={(checked) => selection.select([creator.channel_id], checked)}
    />
  );
}

interface SelectBoxProps {
  label: string;
  checked: boolean;
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

function AlertLine({ alert }: { alert: NonNullable<TrackedRow["last_alert"]> }) {
  const isToday = alert.day === toUtcDay(systemClock.now());
  return (
    <span className={`${styles.alert} truncate`}>
      <Severity severity={alert.severity} />{" "}
      <span className={styles.rise}>
        {formatGrowth(alert.percent)} {isToday ? "today" : formatDay(alert.day)}
      </span>{" "}
      {alert.label && <span className={styles.outlook}>{alert.label.replace("_", " ")}</span>}
    </span>
  );
}
