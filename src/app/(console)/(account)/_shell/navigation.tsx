"use client";

import { Badge, NavLink } from "@mantine/core";
import {
  IconBell,
  IconBook,
  IconChartBar,
  IconCompass,
  IconLayoutDashboard,
  IconLogout,
  IconSettings,
} from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Tier } from "@/core/tiers";
import { trpc } from "../../_client/trpc";
import styles from "./shell.module.css";
import { ThemeSwitch } from "./theme-switch";

const PAGES = [
  { href: "/overview", text: "Overview", Icon: IconLayoutDashboard },
  { href: "/discover", text: "Discover", Icon: IconCompass },
  { href: "/alerts", text: "Alerts", Icon: IconBell },
  { href: "/usage", text: "Usage", Icon: IconChartBar },
  { href: "/settings", text: "Settings", Icon: IconSettings },
];
const ICON = { size: 18, stroke: 1.75, "aria-hidden": true } as const;

interface NavigationProps {
  label: string;
  tier: Tier;
  onNavigate: () => void;
}

/** The pages of the console; below them who is signed in, the theme, and the way out. */
export function Navigation({ label, tier, onNavigate }: NavigationProps) {
  const path = usePathname();
  return (
    <>
      <nav aria-label="Console">
        <ul className={styles.links}>
          {PAGES.map(({ href, text, Icon }) => (
            <li key={href}>
              <NavLink
                component={Link}
                href={href}
                label={text}
                leftSection={<Icon {...ICON} />}
                active={path.startsWith(href)}
                aria-current={path === href ? "page" : undefined}
                onClick={onNavigate}
                className={styles.link}
              />
            </li>
          ))}
          <li>
            <NavLink
              href="/api/openapi.json"
              label="API document"
              leftSection={<IconBook {...ICON} />}
              className={styles.link}
            />
          </li>
        </ul>
      </nav>
      <div className={styles.foot}>
        <div className={styles.key}>
          <span className={styles.label} title={label}>
            {label}
          </span>
          <Badge variant="default" tt="none" style={{ flex: "none" }}>
            {tier}
          </Badge>
        </div>
        <ThemeSwitch />
        <SignOut />
      </div>
    </>
  );
}

function SignOut() {
  const signOut = trpc.sessions.signOut.useMutation({ onSuccess: () => location.assign("/sign-in") });
  return (
    <NavLink
      component="button"
      type="button"
      label="Sign out"
      leftSection={<IconLogout {...ICON} />}
      className={styles.link}
      onClick={() => signOut.mutate()}
      disabled={signOut.isPending}
    />
  );
}
