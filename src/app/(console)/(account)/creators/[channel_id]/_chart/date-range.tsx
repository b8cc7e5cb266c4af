"use client";

import { formatDay } from "@/core/format";
import type { Day } from "@/core/time";
import { Dropdown, DropdownItem } from "../../../../_ui/dropdown";
import styles from "./panel.module.css";

interface DateRangeProps {
  /** Empty while a period is chosen instead. */
  from: string;
  to: string;
  kept: { from: Day; to: Day };
  onChange: (range: { from?: string; to?: string }) => void;
}

/** Chooses the first and the last charted day among those that are kept. */
export function DateRange({ from, to, kept, onChange }: DateRangeProps) {
  const isSet = from !== "" || to !== "";
  const text = isSet ? `${formatDay(from || kept.from)} to ${formatDay(to || kept.to)}` : "Dates";
  return (
    <Dropdown text={text} title="Dates of the chart">
      <div className={styles.dates}>
        <label>
          From
          <input
            type="date"
            min={kept.from}
            max={to || kept.to}
            value={from || kept.from}
            onChange={({ currentTarget: { value } }) => onChange({ from: value, to })}
          />
        </label>
        <label>
          To
          <input
            type="date"
            min={from || kept.from}
            max={kept.to}
            value={to || kept.to}
            onChange={({ currentTarget: { value } }) => onChange({ from, to: value })}
          />
        </label>
        {isSet && <DropdownItem onClick={() => onChange({ from: "", to: "" })}>Show the last 30 days</DropdownItem>}
      </div>
    </Dropdown>
  );
}
