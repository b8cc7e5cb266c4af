import { toast } from "../_client/toast";

/** Saves a file from the browser. */
export function saveFile(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/** Makes and saves a file, and says so where that fails. */
export async function trySaving(save: () => Promise<void>): Promise<void> {
  await save().catch(() => toast("The file could not be saved. Try again.", "failed"));
}
