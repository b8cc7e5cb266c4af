import { stringify } from "csv-stringify/browser/esm/sync";
import type { Creator, HistoryReading } from "@/features/creators/schema";

const COLUMNS = ["channel_id", "name", "handle", "day", "subscribers", "views", "videos"];

/**
 * The readings of a creator as CSV, oldest first; what is hidden is left empty. What a spreadsheet would take for a
 * formula is marked as text: names and handles are written by strangers.
 */
export function readingsCsv(
  { channel_id, name, handle }: Pick<Creator, "channel_id" | "name" | "handle">,
  readings: readonly HistoryReading[],
): string {
  const texts = { channel_id, name: plain(name), handle: plain(handle) };
  const rows = readings.map((reading) => ({ ...texts, ...reading }));
  return stringify(rows, {
    // The mark that has spreadsheets read it as UTF-8.
    bom: true,
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    record_delimiter: "windows",
  });
}

/** A text of one line, in which no other sign that a spreadsheet may part cells at is followed by a formula. */
function plain(text: string | null): string | null {
  const line = text?.replace(/[\r\n]+/g, " ").trim();
  return line?.replace(/((?:^|[;\t|])[\s"'\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu, "$1'") ?? null;
}

/** Has the browser save a text as a file. */
export function saveCsv(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
