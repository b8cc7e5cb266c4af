"use client";

import { AppShell, Badge, Burger } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { Tier } from "@/core/config/tiers";
import { Brand } from "@/ui/brand";
import { useWantsToasts } from "../../_client/toast";
import { Commands } from "./commands";
import { Navigation } from "./navigation";
import { QuotaLine } from "./quota-line";
import styles from "./shell.module.css";

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

/** The console's frame: skip link, header, navigation and main. */
export function Shell({ label, tier, sample, children }: ShellProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  const wantsToasts = useWantsToasts();
  const navigation = <Navigation label={label} tier={tier} onNavigate={close} />;
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: true } }}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header className={styles.header}>
        <Burger hiddenFrom="sm" size="sm" opened={opened} onClick={open} aria-label="Menu" />
        {/* Full page load: the public pages have different styles. */}
        <a className={styles.brand} href="/">
          <Brand />
        </a>
        {sample && (
          <Badge
            className={styles.sample}
            variant="outline"
            color="gray"
            title="Creators and counts are invented"
          >
            Sample data
          </Badge>
        )}
        <Commands />
        <QuotaLine />
      </AppShell.Header>
      <AppShell.Navbar p="sm" visibleFrom="sm">
        {navigation}
      </AppShell.Navbar>
      {wasOpened && (
        <MenuDrawer opened={opened} onClose={close}>
          {navigation}
        </MenuDrawer>
      )}
      {wantsToasts && <Toasts />}
      <AppShell.Main id="main" tabIndex={-1} className={styles.main}>
        <div className={styles.content}>{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}
