"use client";

import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { FailureNotice } from "./failure-notice";

interface CsvButtonProps {
  /** What the file holds, such as "all snapshots". */
  content: string;
  disabled: boolean;
  /** Makes and saves the file; loads what it needs for that. */
  save: () => Promise<void>;
}

/** Downloads what is shown as a CSV file. */
export function CsvButton({ content, disabled, save }: CsvButtonProps) {
  const saving = useMutation({ mutationFn: save });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={disabled}
        onClick={() => saving.mutate()}
      >
        CSV
        <span className="visually-hidden"> of {content}</span>
      </Button>
      {saving.error && <FailureNotice error={saving.error} retry={() => saving.mutate()} />}
    </>
  );
}
