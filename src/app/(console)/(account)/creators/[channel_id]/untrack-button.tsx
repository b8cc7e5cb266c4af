"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";

/** Loaded when first opened. */
const UntrackDialog = dynamic(
  () => import("../../_tracking/untrack-dialog").then(({ UntrackDialog: StopDialog }) => StopDialog),
  {
    ssr: false,
  },
);

interface UntrackButtonProps {
  channelId: string;
  name: string;
}

/** Opens the untrack dialog. */
export function UntrackButton(creator: UntrackButtonProps) {
  const router = useRouter();
  const button = useRef<HTMLButtonElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  return (
    <>
      <Button ref={button} variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
        Stop tracking
      </Button>
      {wasOpened && (
        <UntrackDialog
          {...creator}
          opened={opened}
          onClose={close}
          onUntracked={() => router.push("/overview")}
          onClosed={() => button.current?.focus()}
        />
      )}
    </>
  );
}
