import type { ReactNode } from "react";
import styles from "./data-table.module.css";

interface DataTableProps {
  caption: string;
  columns: readonly string[];
  /** Numeric columns, right-aligned. */
  numeric?: readonly string[];
  /** Rows with unique names; the first cell is the row header. */
  rows: readonly { name: string; cells: readonly ReactNode[] }[];
  /** Stacks the cells of a row on phones. For rows of text. */
  stacks?: boolean;
}

/** A table that fits narrow screens without scrolling. */
export function DataTable({ caption, columns, numeric = [], rows, stacks = false }: DataTableProps) {
  const align = (column = "") => (numeric.includes(column) ? styles.numeric : undefined);
  return (
    <table className={styles.table} data-stacks={stacks || undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className={align(column)}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells: [head, ...values] }) => (
          <tr key={name}>
            <th scope="row">{head}</th>
            {values.map((value, index) => (
              <td key={columns[index + 1]} className={align(columns[index + 1])}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
