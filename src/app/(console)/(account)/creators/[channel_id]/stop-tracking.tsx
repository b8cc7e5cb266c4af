"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";

/** Loaded when first opened. */
const StopDialog = dynamic(() => import("./stop-dialog").then(({ StopDialog }) => StopDialog), {
  ssr: false,
});

interface StopTrackingProps {
  channelId: string;
  name: string;
}

/** Opens the dialog to stop tracking. */
export function StopTracking(creator: StopTrackingProps) {
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
        <StopDialog
          {...creator}
          opened={opened}
          onClose={close}
          onStopped={() => router.push("/overview")}
          onClosed={() => button.current?.focus()}
        />
      )}
    </>
  );
}
