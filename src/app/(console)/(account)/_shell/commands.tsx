"use client";

import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import styles from "./shell.module.css";

/** Loaded when first opened. */
const CommandMenu = dynamic(() => import("./command-menu").then(({ CommandMenu }) => CommandMenu), { ssr: false });
const Shortcuts = dynamic(() => import("./shortcuts").then(({ Shortcuts }) => Shortcuts), { ssr: false });

/** The button and shortcuts for the command menu and the shortcut list. */
export function Commands() {
  const [openCount, setOpenCount] = useState(0);
  const [wasShown, setWasShown] = useState(false);
  const [shown, shortcuts] = useDisclosure(false, { onOpen: () => setWasShown(true) });
  const ask = () => setOpenCount((times) => times + 1);
  // Also works in a field; "?" is text there.
  useHotkeys([["mod+K", ask]], []);
  useHotkeys([["shift+?", shortcuts.open]]);
  return (
    <>
      <button type="button" className={styles.search} title="Search or go to a page" onClick={ask}>
        <IconSearch size={16} aria-hidden />
        <span className={styles.text}>Go to…</span>
        <kbd className={styles.keys} aria-hidden>
          Ctrl K
        </kbd>
      </button>
      {openCount > 0 && <CommandMenu openCount={openCount} onShortcuts={shortcuts.open} />}
      {wasShown && <Shortcuts opened={shown} onClose={shortcuts.close} />}
    </>
  );
}
