const MAX_BYTES = 1024 * 1024;

/** The text of a file with a list, or why it has none. */
export async function readList(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > MAX_BYTES) return { problem: "The file is larger than 1 MB. Split it and try again" };
  const text = await file.text();
  // A NUL, or the mark of bytes that are not UTF-8.
  if (text.includes("\u0000") || text.includes("\ufffd"))
    return { problem: "This is not a text file. Save it as CSV in UTF-8 and try again" };
  return { text: text.trim() };
}
