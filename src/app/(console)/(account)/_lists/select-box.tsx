"use client";

import styles from "./lists.module.css";

interface SelectBoxProps {
  label: string;
  checked: boolean;
  /** True when only some of several are selected. */
  isPartial?: boolean;
  onChange: (checked: boolean) => void;
}

/** Selects a row, or all of them. A plain field, because the overview has many. */
export function SelectBox({ label, checked, isPartial = false, onChange }: SelectBoxProps) {
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
