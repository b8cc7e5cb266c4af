"use client";

import { IconBook, IconLogout } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import type { Tier } from "@/db/values";
import { trpc } from "../../_client/trpc";
import { Pending } from "../../_ui/pending";
import { PAGES } from "./pages";
import styles from "./shell.module.css";
import { ThemeSwitch } from "./theme-switch";
import { Unread } from "./unread";

const ICON = { size: 18, stroke: 1.75, "aria-hidden": true } as const;

/** Navigation: pages, the signed-in key, theme and sign-out. */
export function Navigation({ label, tier, onNavigate }: { label: string; tier: Tier; onNavigate: () => void }) {
  const path = usePathname();
  return (
    <>
      <nav aria-label="Console">
        <ul className={styles.links}>
          {PAGES.map(({ href, label, Icon }) => (
            <li key={href}>
              <Link
                href={href}
                className={styles.link}
                title={label}
                data-active={path.startsWith(href) || undefined}
                aria-current={path === href ? "page" : undefined}
                onClick={onNavigate}
              >
                <Icon {...ICON} />
                <span className={styles.text}>{label}</span>
                {href === "/alerts" && <Unread />}
                <Pending />
              </Link>
            </li>
          ))}
          <li>
            {/* Full page load: the public pages have different styles. */}
            <a href="/docs" className={styles.link} title="Documentation">
              <IconBook {...ICON} />
              <span className={styles.text}>Documentation</span>
            </a>
          </li>
        </ul>
      </nav>
      <div className={styles.foot}>
        <div className={styles.key}>
          <span className={styles.label} title={label}>
            {label}
          </span>
          <span className={styles.tier}>{tier}</span>
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
    <button
      type="button"
      className={styles.link}
      title="Sign out"
      onClick={() => signOut.mutate()}
      disabled={signOut.isPending}
    >
      <IconLogout {...ICON} />
      <span className={styles.text}>Sign out</span>
    </button>
  );
}
