"use client";

import { Badge, NavLink } from "@mantine/core";
import { IconBook, IconLogout } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Tier } from "@/core/config/tiers";
import { formatCount } from "@/ui/format";
import { trpc } from "../../_client/trpc";
import { useTodaysAlerts } from "../../_client/use-todays-alerts";
import { PAGES } from "./pages";
import styles from "./shell.module.css";
import { ThemeSwitch } from "./theme-switch";

const ICON = { size: 18, stroke: 1.75, "aria-hidden": true } as const;

interface NavigationProps {
  label: string;
  tier: Tier;
  onNavigate: () => void;
}

/** Navigation: pages, the signed-in key, theme and sign-out. */
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
                rightSection={href === "/alerts" && <AlertsToday />}
                active={path.startsWith(href)}
                aria-current={path === href ? "page" : undefined}
                onClick={onNavigate}
                className={styles.link}
              />
            </li>
          ))}
          <li>
            <NavLink
              href="/docs"
              label="Documentation"
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

function AlertsToday() {
  const total = useTodaysAlerts().data?.pagination.total ?? 0;
  if (total === 0) return null;
  return (
    <Badge size="sm" color="accent" style={{ flex: "none" }}>
      {formatCount(total)}
      <span className="visually-hidden"> today</span>
    </Badge>
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
