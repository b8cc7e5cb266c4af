import type { ReactNode } from "react";
import styles from "./data-table.module.css";

interface DataTableProps {
  caption: string;
  columns: readonly string[];
  /** The first cell of a row is its header. */
  rows: readonly (readonly ReactNode[])[];
  /** Cells are texts, one below the other on phones, instead of numbers. */
  isText?: boolean;
  isCompact?: boolean;
}

/** A table that fits narrow screens without scrolling. */
export function DataTable({ caption, columns, rows, isText = false, isCompact = false }: DataTableProps) {
  const align = (index: number) => (isText || index === 0 ? undefined : styles.numeric);
  return (
    <table className={styles.table} data-stacks={isText || undefined} data-compact={isCompact || undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column, index) => (
            <th key={column} scope="col" className={align(index)}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...values], row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state
          <tr key={row}>
            <th scope="row">{head}</th>
            {values.map((value, index) => (
              <td key={columns[index + 1]} className={align(index + 1)}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
