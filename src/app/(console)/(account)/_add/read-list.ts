import { formatQuantity } from "@/core/format";

const MAX_BYTES = 5 * 1024 * 1024;
/** The share of zeros that a text may have, as broken exports do. */
const MAX_ZEROS = 0.05;
/** First bytes of files that are no text, and what to do instead. */
const OTHER_FILES: readonly [string, string][] = [
  ["PK", "is a workbook or a zip archive. Save the sheet as CSV, or unpack the archive, and try again"],
  ["%PDF", "is a PDF. Copy its text into the box instead"],
];

export interface ListSource {
  id: string;
  /** The file's name; null for the box. */
  title: string | null;
  text: string;
  /** The encoding, when it was guessed. */
  encoding?: string;
}

/** The text of a file with a list, or why it has none. */
export async function readListFile(file: File): Promise<ListSource | { problem: string }> {
  if (file.size > MAX_BYTES) return { problem: `${file.name} is larger than 5 MB. Split it and try again` };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  const other = OTHER_FILES.find(([mark]) => start.startsWith(mark));
  if (other) return { problem: `${file.name} ${other[1]}` };
  const { text, encoding } = decodeText(bytes);
  const zeros = text.split("\u0000").length - 1;
  if (zeros > 0 && (encoding || zeros > text.length * MAX_ZEROS))
    return { problem: `${file.name} is not a text file. Save it as text or CSV and try again` };
  if (text.trim() === "") return { problem: `${file.name} is empty` };
  return { id: crypto.randomUUID(), title: file.name, text: text.trim(), ...(encoding && { encoding }) };
}

/**
 * Decodes UTF-16 and UTF-8, also with some broken characters. Other bytes are read as Windows-1252, the usual encoding of
 * spreadsheets' CSV.
 */
function decodeText(bytes: Uint8Array): { text: string; encoding?: string } {
  const utf16 = detectUtf16(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), encoding: "UTF-16" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return decodeBroken(bytes);
  }
}

/** Decodes what is no valid UTF-8. */
function decodeBroken(bytes: Uint8Array): { text: string; encoding: string } {
  const text = new TextDecoder().decode(bytes);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const other = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  if (other > broken) return { text, encoding: "UTF-8 with broken characters" };
  return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
}

/** UTF-16 begins with its mark, or has a zero in every second byte of its first characters. */
function detectUtf16([first, second, third, fourth]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first && second === 0 && third && fourth === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second && third === 0 && fourth) ? "utf-16be" : null;
}

/** A list's name, size and encoding in one line. @param entries null while they are read */
export function describeSource({ title, encoding }: ListSource, entries: number | null): string {
  return [title, entries !== null && formatQuantity(entries, "entry", "entries"), encoding && `read as ${encoding}`]
    .filter(Boolean)
    .join(" · ");
}
