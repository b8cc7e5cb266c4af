"use client";

import { Button } from "@mantine/core";
import { IconPhotoDown } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { FailureNotice } from "../../../../_ui/failure-notice";

interface PictureButtonProps {
  disabled: boolean;
  /** Draws and saves the picture; loads what it needs for that. */
  save: () => Promise<void>;
}

/** Downloads the chart as a picture. */
export function PictureButton({ disabled, save }: PictureButtonProps) {
  const saving = useMutation({ mutationFn: save });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPhotoDown size={16} aria-hidden />}
        disabled={disabled}
        loading={saving.isPending}
        onClick={() => saving.mutate()}
      >
        PNG
        <span className="visually-hidden"> of the chart</span>
      </Button>
      {saving.error && <FailureNotice error={saving.error} retry={() => saving.mutate()} />}
    </>
  );
}
