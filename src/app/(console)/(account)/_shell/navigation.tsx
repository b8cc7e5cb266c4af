import { useLocalStorage } from "@mantine/hooks";
import { IconBook, IconDots, IconLogout } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import { useEffect } from "react";
import { formatCount } from "@/core/format";
import type { Tier } from "@/db/values";
import { TIER_NAMES } from "@/features/usage/tiers.rules";
import { trpc } from "../../_client/trpc";
import { Pending } from "../../_ui/pending";
import { forgetVisits } from "../overview/visits";
import { type ConsolePage, PAGES } from "./pages";
import styles from "./shell.module.css";
import { ThemeSwitch } from "./theme-switch";

const ICON = { size: 18, stroke: 1.75, "aria-hidden": true } as const;

/** Navigation: pages, lists, the signed-in key, theme and sign-out. */
export function Navigation({ label, tier, onNavigate }: { label: string; tier: Tier; onNavigate: () => void }) {
  const signOut = useSignOut();
  return (
    <>
      <nav aria-label="Console">
        <ul className={styles.links}>
          {PAGES.map((page) => (
            <li key={page.href}>
              <PageLink {...page} className={styles.link} onNavigate={onNavigate} />
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
      <Lists onNavigate={onNavigate} />
      <div className={styles.foot}>
        <ThemeSwitch />
        <div className={styles.key}>
          <span className={styles.initials} aria-hidden>
            {label.slice(0, 2).toUpperCase()}
          </span>
          <span className={styles.owner}>
            <span className="truncate" title={label}>
              {label}
            </span>
            <span className={styles.tier}>{TIER_NAMES[tier]}</span>
          </span>
          <button
            type="button"
            className={styles.exit}
            title="Sign out"
            onClick={() => signOut.mutate()}
            disabled={signOut.isPending}
          >
            <IconLogout {...ICON} />
            <span className="visually-hidden">Sign out</span>
          </button>
        </div>
      </div>
    </>
  );
}

/** The pages of every day, at the bottom of narrow screens. @param onMore opens the navigation */
export function BottomBar({ onMore }: { onMore: () => void }) {
  return (
    <nav className={styles.bottom} aria-label="Main pages">
      {PAGES.slice(0, 3).map((page) => (
        <PageLink key={page.href} {...page} className={styles.tab} />
      ))}
      <button type="button" className={styles.tab} onClick={onMore}>
        <IconDots {...ICON} />
        <span className={styles.text}>Menu</span>
      </button>
    </nav>
  );
}

type PageLinkProps = ConsolePage & { className?: string; onNavigate?: () => void };

function PageLink({ href, label, Icon, className, onNavigate }: PageLinkProps) {
  const path = usePathname();
  const niche = useLastNiche();
  const query = href === "/discover" && niche !== "" ? `?niche=${encodeURIComponent(niche)}` : "";
  return (
    <Link
      href={href + query}
      className={className}
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
  );
}

/** The niche that the reader last looked at, to which the link to Discover leads back. */
function useLastNiche(): string {
  const [niche, setNiche] = useLocalStorage({ key: NICHE, defaultValue: "" });
  const isDiscover = usePathname() === "/discover";
  const shown = useSearchParams().get("niche") ?? "";
  useEffect(() => {
    if (isDiscover) setNiche(shown);
  }, [isDiscover, shown, setNiche]);
  return niche;
}

function Lists({ onNavigate }: { onNavigate: () => void }) {
  const { data } = trpc.lists.all.useQuery();
  const shown = useSearchParams().get("list");
  if (!data || data.lists.length === 0) return null;
  return (
    <nav aria-label="Your lists" className={styles.lists}>
      <h2>Lists</h2>
      <ul className={styles.links}>
        {data.lists.map(({ id, name, creators }) => (
          <li key={id}>
            <Link
              href={`/overview?list=${id}`}
              prefetch={false}
              className={styles.link}
              data-active={id === shown || undefined}
              onClick={onNavigate}
            >
              <span className={styles.dot} aria-hidden />
              <bdi className="truncate">{name}</bdi>
              <span className={styles.creators}>
                {formatCount(creators)}
                <span className="visually-hidden"> {creators === 1 ? "creator" : "creators"}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Where the browser keeps the niche last searched for. */
const NICHE = "niche";

/** Ends the session, and leaves the console. */
export function useSignOut() {
  return trpc.sessions.signOut.useMutation({ onSuccess: leaveConsole });
}

/** Forgets what the browser remembers of the key, and leads to the sign-in page. */
export function leaveConsole(): void {
  forgetVisits();
  localStorage.removeItem(NICHE);
  location.assign("/sign-in");
}

/** How many alerts are unread, in the navigation. */
function Unread() {
  const { data } = trpc.alerts.unread.useQuery();
  if (!data || data.unread === 0) return null;
  return (
    <span className={styles.count}>
      {formatCount(data.unread)}
      <span className="visually-hidden"> unread</span>
    </span>
  );
}

const MARK = /^\(\d[\d,]*\) /;

/** Prefixes the tab title with the number of unread alerts. */
export function UnreadTitle() {
  const unread = trpc.alerts.unread.useQuery().data?.unread ?? 0;
  useEffect(() => {
    const write = () => {
      const mark = unread > 0 ? `(${formatCount(unread)}) ` : "";
      const wanted = `${mark}${document.title.replace(MARK, "")}`;
      if (document.title !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [unread]);
  return null;
}
