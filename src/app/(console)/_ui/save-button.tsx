"use client";

import { Button } from "@mantine/core";
import { IconDownload, IconPhotoDown } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { FailureNotice } from "./failure-notice";

const ICONS = { CSV: IconDownload, PNG: IconPhotoDown };

interface SaveButtonProps {
  format: keyof typeof ICONS;
  /** What the file holds, such as "all snapshots". */
  content: string;
  disabled?: boolean;
  /** Makes and saves the file; loads what it needs for that. */
  save: () => Promise<void>;
}

/** Downloads what is shown as a file. */
export function SaveButton({ format, content, disabled, save }: SaveButtonProps) {
  const saving = useMutation({ mutationFn: save });
  const Icon = ICONS[format];
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon size={16} aria-hidden />}
        disabled={disabled}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        {format}
        <span className="visually-hidden"> of {content}</span>
      </Button>
      {saving.error && <FailureNotice error={saving.error} retry={() => saving.mutate()} />}
    </>
  );
}
