import { stringify } from "csv-stringify/browser/esm/sync";
import type { Creator, HistoryReading } from "@/features/creators/schema";

const COLUMNS = ["channel_id", "name", "handle", "day", "subscribers", "views", "videos"];

/**
 * A creator's readings as CSV, oldest first; hidden counts are empty. Cells that a spreadsheet would read as a formula
 * are marked as text, because names come from the platform.
 */
export function readingsCsv(
  { channel_id, name, handle }: Pick<Creator, "channel_id" | "name" | "handle">,
  readings: readonly HistoryReading[],
): string {
  const texts = { channel_id, name: plain(name), handle: plain(handle) };
  const rows = readings.map((reading) => ({ ...texts, ...reading }));
  return stringify(rows, {
    // BOM, so that spreadsheets read UTF-8.
    bom: true,
    header: true,
    columns: COLUMNS,
    escape_formulas: true,
    record_delimiter: "windows",
  });
}

/** One line of text in which no cell separator is followed by a formula. */
function plain(text: string | null): string | null {
  const line = text?.replace(/[\r\n]+/g, " ").trim();
  return line?.replace(/((?:^|[;\t|])[\s"'\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu, "$1'") ?? null;
}

/** Downloads a text as a file. */
export function saveCsv(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
