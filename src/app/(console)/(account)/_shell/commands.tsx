import { useDisclosure, useHotkeys, useWindowEvent } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import styles from "./shell.module.css";

/** Loaded when first opened. */
const CommandMenu = dynamic(() => import("./command-menu").then(({ CommandMenu }) => CommandMenu), { ssr: false });
const Shortcuts = dynamic(() => import("./overlays").then(({ Shortcuts }) => Shortcuts), { ssr: false });

/** The button and shortcuts for the command menu and the shortcut list. */
export function Commands() {
  const [openCount, setOpenCount] = useState(0);
  const [wasShown, setWasShown] = useState(false);
  const [shown, shortcuts] = useDisclosure(false, { onOpen: () => setWasShown(true) });
  const ask = () => setOpenCount((times) => times + 1);
  // Also works in a field; "?" is text there.
  useHotkeys([["mod+K", ask]], []);
  useWindowEvent(ASKED, ask);
  useHotkeys([["shift+?", shortcuts.open]]);
  return (
    <>
      <CommandButton className={styles.search}>
        <span className={styles.text}>Search or jump to</span>
        <kbd className={styles.keys} aria-hidden>
          Ctrl K
        </kbd>
      </CommandButton>
      {openCount > 0 && <CommandMenu openCount={openCount} onShortcuts={shortcuts.open} />}
      {wasShown && <Shortcuts opened={shown} onClose={shortcuts.close} />}
    </>
  );
}

const ASKED = "command-menu";

/** Opens the command menu. */
export function CommandButton({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <button
      type="button"
      className={className}
      title="Search or jump to a page"
      onClick={() => window.dispatchEvent(new Event(ASKED))}
    >
      <IconSearch size={16} aria-hidden />
      {children ?? <span className="visually-hidden">Search</span>}
    </button>
  );
}
