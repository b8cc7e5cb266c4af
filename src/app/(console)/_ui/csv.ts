import { formatCsv, toPlainCell } from "@/core/http/csv";
import type { Creator } from "@/features/creators/schema";
import { saveFile } from "./save-file";

export type NamedCreator = Pick<Creator, "channel_id" | "name" | "handle" | "url">;

/** Rows as CSV for a spreadsheet. */
export function toCsv(rows: readonly object[], columns: readonly string[]): string {
  return formatCsv(rows, columns, { bom: true });
}

/** A creator's texts as cells. The handle has no @, which a spreadsheet takes for a formula. */
export function toCreatorCells({ channel_id, name, handle, url }: NamedCreator) {
  return { channel_id, name: toPlainCell(name), handle: toPlainCell(handle?.replace(/^@/, "") ?? null), url };
}

/** Saves a text as a file from the browser. */
export function saveCsv(text: string, fileName: string): void {
  saveFile(new Blob([text], { type: "text/csv;charset=utf-8" }), fileName);
}
