import { stringify } from "csv-stringify/browser/esm/sync";
import type { Reply } from "./reply";

type Cell = string | number | boolean | null | undefined;

/** The most rows that an answer of the API has. */
export const CSV_ROWS = 10_000;

/**
 * Rows as CSV by RFC 4180. Formulas are marked as text, because channels choose their names.
 * @param bom the mark without which spreadsheets do not read a file as UTF-8
 */
export function formatCsv(rows: readonly object[], columns: readonly string[], { bom = false } = {}): string {
  return stringify([...rows], {
    bom,
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: "windows",
    cast: { boolean: String },
  });
}

/** A text of one line in which no formula follows a character that a spreadsheet may split cells at. */
export function toPlainCell(text: string | null): string | null {
  const line = text?.replace(/[\r\n]+/g, " ").trim();
  return line?.replace(/((?:^|[;\t|])[\s"'\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu, "$1'") ?? null;
}

/** The first rows of a list of a filter as a CSV file. @param total rows that match the filter */
export function createCsvReply(
  rows: readonly Record<string, Cell>[],
  columns: readonly string[],
  { total, name }: { total: number; name: string },
): Reply {
  return {
    status: 200,
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
      "X-Total-Rows": String(total),
      "X-Truncated": String(total > rows.length),
    },
    body: formatCsv(rows, columns),
  };
}
