import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconShare2 } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";

/** Loaded when first opened. */
const ShareDialog = dynamic(() => import("./share-dialog").then(({ ShareDialog }) => ShareDialog), { ssr: false });

/** Opens the dialog that makes a link to the creator's evidence card. */
export function ShareButton({ isMain, ...creator }: { channelId: string; name: string; isMain?: boolean }) {
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
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
      {wasOpened && <ShareDialog {...creator} opened={opened} onClose={close} />}
    </>
  );
}
