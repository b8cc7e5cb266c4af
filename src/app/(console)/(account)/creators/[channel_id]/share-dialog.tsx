"use client";

import { Modal } from "@mantine/core";
import { CreatorShare } from "./creator-share";

interface ShareDialogProps {
  channelId: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
}

/** The share form in a dialog. */
export function ShareDialog({ channelId, name, isOpen, onClose }: ShareDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={`Share ${name}`}
      closeButtonProps={{ "aria-label": "Close" }}
      centered
    >
      <CreatorShare channelId={channelId} />
    </Modal>
  );
}
