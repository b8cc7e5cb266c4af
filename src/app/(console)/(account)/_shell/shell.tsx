"use client";

import { Burger } from "@mantine/core";
import { useDisclosure, useWindowEvent } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { Tier } from "@/db/values";
import { Brand } from "@/ui/brand";
import { TOASTED } from "../../_client/toast";
import { Commands } from "./commands";
import { Navigation } from "./navigation";
import { OfflineBanner } from "./offline-banner";
import { QuotaLine } from "./quota-line";
import styles from "./shell.module.css";
import { StatusStrip } from "./status-strip";
import { UnreadTitle } from "./unread";

/** Loaded when first opened. */
const MenuDrawer = dynamic(() => import("./menu-drawer").then(({ MenuDrawer }) => MenuDrawer), {
  ssr: false,
});

/** Loaded with the first toast. */
const Toasts = dynamic(() => import("./toasts").then(({ Toasts }) => Toasts), { ssr: false });

interface ShellProps {
  label: string;
  tier: Tier;
  /** True with sample data. */
  sample: boolean;
  children: ReactNode;
}

/** The console's frame: skip link, navigation, header and main. */
export function Shell({ label, tier, sample, children }: ShellProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  const [hasToasts, setHasToasts] = useState(false);
  useWindowEvent(TOASTED, () => setHasToasts(true));
  const navigation = <Navigation label={label} tier={tier} onNavigate={close} />;
  // Full page load: the public pages have different styles.
  const brand = (
    <a className={styles.brand} href="/">
      <Brand />
    </a>
  );
  return (
    <div className={styles.frame}>
      <UnreadTitle />
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header className={styles.header}>
        <Burger className={styles.burger} size="sm" opened={opened} onClick={open} aria-label="Menu" />
        <span className={styles.narrow}>{brand}</span>
        <StatusStrip />
        {sample && (
          <span className={styles.sample} title="Creators and counts are invented">
            Sample data
          </span>
        )}
        <QuotaLine />
      </header>
      <aside className={styles.side} aria-label="Menu">
        {brand}
        <Commands />
        {navigation}
      </aside>
      {wasOpened && (
        <MenuDrawer opened={opened} onClose={close}>
          {navigation}
        </MenuDrawer>
      )}
      {hasToasts && <Toasts />}
      <main id="main" tabIndex={-1} className={styles.main}>
        <OfflineBanner />
        <div className={styles.content}>{children}</div>
      </main>
    </div>
  );
}
