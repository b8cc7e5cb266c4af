"use client";

import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { ShareDialog } from "../../_lists/share-dialog";

/** Opens the dialog that makes a link to the creator's evidence card. */
export function ShareButton({ channelId, name }: { channelId: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
        Share
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} centered withCloseButton={false}>
        <ShareDialog
          title={`Share ${name}`}
          text="Anyone with the link sees the chart, growth, score and level of this creator, without a key. It ends when you revoke it or stop tracking the creator."
          subject={{ channel_id: channelId }}
          onClose={() => setIsOpen(false)}
        />
      </Modal>
    </>
  );
}
