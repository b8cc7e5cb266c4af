import { stringify } from "csv-stringify/browser/esm/sync";
import type { Creator, HistoryReading } from "@/features/creators/schema";

const COLUMNS = ["channel_id", "name", "handle", "url", "day", "subscribers", "views", "videos"];

/**
 * The readings of a creator as CSV, oldest first; a hidden count is empty. The handle stands without its @, which a
 * spreadsheet takes for a formula. Other formulas are marked as text, because channels choose their names.
 */
export function readingsCsv(
  { channel_id, name, handle, url }: Pick<Creator, "channel_id" | "name" | "handle" | "url">,
  readings: readonly HistoryReading[],
): string {
  const texts = { channel_id, name: plain(name), handle: plain(handle?.replace(/^@/, "") ?? null), url };
  const rows = readings.map((reading) => ({ ...texts, ...reading }));
  return stringify(rows, {
    // Spreadsheets read the file as UTF-8 only with this mark.
    bom: true,
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    record_delimiter: "windows",
  });
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
