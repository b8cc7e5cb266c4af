import { Button, Modal } from "@mantine/core";
import { CreatorShare } from "./creator-share";

interface ShareDialogProps {
  channelId: string;
  name: string;
  opened: boolean;
  onClose: () => void;
}

export function ShareDialog({ channelId, name, opened, onClose }: ShareDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} centered withCloseButton={false}>
      <Modal.Title fw={650} mb="md">
        Share {name}
      </Modal.Title>
      <CreatorShare channelId={channelId} />
      <Button variant="default" size="xs" display="block" ml="auto" mt="md" onClick={onClose}>
        Close
      </Button>
    </Modal>
  );
}
