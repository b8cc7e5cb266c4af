import { stringify } from "csv-stringify/browser/esm/sync";
import type { Creator } from "@/features/creators/schema";

/** Rows as CSV for a spreadsheet. Formulas are marked as text, because channels choose their names. */
export function csvOf(rows: readonly object[], columns: readonly string[]): string {
  return stringify([...rows], {
    // Spreadsheets read the file as UTF-8 only with this mark.
    bom: true,
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: "windows",
  });
}

/** The texts of a creator as cells. The handle stands without its @, which a spreadsheet takes for a formula. */
export function creatorCells({
  channel_id,
  name,
  handle,
  url,
}: Pick<Creator, "channel_id" | "name" | "handle" | "url">) {
  return { channel_id, name: plain(name), handle: plain(handle?.replace(/^@/, "") ?? null), url };
}

/** A text of one line in which no formula follows a character that a spreadsheet may split cells at. */
function plain(text: string | null): string | null {
  const line = text?.replace(/[\r\n]+/g, " ").trim();
  return line?.replace(/((?:^|[;\t|])[\s"'\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu, "$1'") ?? null;
}

/** Saves a text as a file from the browser. */
export function saveCsv(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
