"use client";

import { Button, Kbd } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";

/** Loaded when first opened. */
const CommandMenu = dynamic(() => import("./command-menu").then(({ CommandMenu }) => CommandMenu), {
  ssr: false,
});
const Shortcuts = dynamic(() => import("./shortcuts").then(({ Shortcuts }) => Shortcuts), { ssr: false });

/** The button and shortcuts for the command menu and the shortcut list. */
export function Commands() {
  const [asked, setAsked] = useState(0);
  const [wasShown, setWasShown] = useState(false);
  const [shown, shortcuts] = useDisclosure(false, { onOpen: () => setWasShown(true) });
  const ask = () => setAsked((times) => times + 1);
  // Also works in a field; "?" is text there.
  useHotkeys([["mod+K", ask]], []);
  useHotkeys([["shift+?", shortcuts.open]]);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        visibleFrom="sm"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            Ctrl K
          </Kbd>
        }
        onClick={ask}
      >
        Go to…
      </Button>
      {asked > 0 && <CommandMenu asked={asked} onShortcuts={shortcuts.open} />}
      {wasShown && <Shortcuts opened={shown} onClose={shortcuts.close} />}
    </>
  );
}
