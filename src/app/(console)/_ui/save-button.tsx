import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { toast } from "../_client/toast";

interface SaveButtonProps {
  /** What the file holds, such as "the shown creators". */
  content: string;
  disabled?: boolean;
  /** Makes and saves the file; loads what it needs for that. */
  save: () => Promise<void>;
}

/** Downloads what is shown as a CSV file. */
export function SaveButton({ content, disabled, save }: SaveButtonProps) {
  const { mutate, isPending } = useMutation({ mutationFn: () => trySaving(save) });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={disabled}
      loading={isPending}
      onClick={() => mutate()}
    >
      CSV
      <span className="visually-hidden"> of {content}</span>
    </Button>
  );
}

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
