"use client";

import { Button } from "@mantine/core";
import { IconShare2 } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";

/** Loaded when first opened. */
const ShareDialog = dynamic(() => import("./share-dialog").then(({ ShareDialog }) => ShareDialog), { ssr: false });

interface ShareButtonProps {
  channelId: string;
  name: string;
  /** Whether it is the main action of a page. */
  isMain?: boolean;
}

/** Opens the dialog that makes a link to the creator's evidence card. */
export function ShareButton({ isMain, ...creator }: ShareButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const open = () => {
    setWasOpened(true);
    setIsOpen(true);
  };
  return (
    <>
      <Button
        variant={isMain ? "filled" : "default"}
        size="xs"
        leftSection={<IconShare2 size={15} aria-hidden />}
        onClick={open}
      >
        Share
      </Button>
      {wasOpened && <ShareDialog {...creator} isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  );
}
