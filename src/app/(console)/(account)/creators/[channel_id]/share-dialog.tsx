"use client";

import { Button, Group, Modal } from "@mantine/core";
import { ShareForm } from "./share-form";

interface ShareDialogProps {
  channelId: string;
  name: string;
  isOpen: boolean;
  onClose: () => void;
}

/** The share form in a dialog. */
export function ShareDialog({ channelId, name, isOpen, onClose }: ShareDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} centered withCloseButton={false}>
      <Modal.Title fw={650} mb="md">
        Share {name}
      </Modal.Title>
      <ShareForm channelId={channelId} />
      <Group justify="end" mt="md">
        <Button variant="default" size="xs" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
