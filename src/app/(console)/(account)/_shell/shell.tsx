"use client";

import { useDisclosure, useNetwork, useWindowEvent } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { formatCount, formatQuantity } from "@/core/format";
import type { Tier } from "@/db/values";
import { Brand } from "@/ui/brand";
import { useReachable } from "../../_client/calls";
import { TOASTED } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Distance } from "../../_ui/times";
import { CommandButton, Commands } from "./commands";
import { BottomBar, Navigation, UnreadTitle } from "./navigation";
import styles from "./shell.module.css";

/** Loaded when first opened. */
const MenuDrawer = dynamic(() => import("./overlays").then(({ MenuDrawer }) => MenuDrawer), { ssr: false });

/** Loaded with the first toast. */
const Toasts = dynamic(() => import("./toasts").then(({ Toasts }) => Toasts), { ssr: false });

interface ShellProps {
  label: string;
  tier: Tier;
  sample: boolean;
  demo?: boolean;
  children: ReactNode;
}

/** The console's frame: skip link, navigation, header and main. */
export function Shell({ label, tier, sample, demo, children }: ShellProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  const [hasToasts, setHasToasts] = useState(false);
  useWindowEvent(TOASTED, () => setHasToasts(true));
  const isReachable = useReachable();
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
        <span className={styles.narrow}>
          {brand}
          <CommandButton className={styles.find} />
        </span>
        <StatusStrip isReachable={isReachable} />
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
      <BottomBar onMore={open} />
      {wasOpened && (
        <MenuDrawer opened={opened} onClose={close}>
          {navigation}
        </MenuDrawer>
      )}
      {hasToasts && <Toasts />}
      <main id="main" tabIndex={-1} className={styles.main}>
        <OfflineBanner isReachable={isReachable} />
        {demo && <DemoBar />}
        <div className={styles.content}>{children}</div>
      </main>
    </div>
  );
}

/** Milliseconds between two tries to reach the service again. */
const TRY_AGAIN_AFTER = 10_000;

/** How fresh the data is: the last daily run and the next one. Says so while the service does not answer. */
function StatusStrip({ isReachable }: { isReachable: boolean }) {
  const { data } = trpc.snapshots.status.useQuery(undefined, {
    refetchInterval: isReachable ? false : TRY_AGAIN_AFTER,
  });
  if (!isReachable)
    return (
      <p className={styles.status}>
        <span className={styles.light} data-away aria-hidden />
        <strong>The service does not answer</strong>
      </p>
    );
  if (!data) return <p className={styles.status} />;
  const { last_run: run, run_overdue, next_run_at } = data;
  const isWell = run?.finished_at && run.failed === 0 && !run_overdue;
  return (
    <p className={styles.status}>
      <span className={styles.light} data-well={isWell ? true : undefined} aria-hidden />
      <span>
        <strong>Last run</strong> {run === null && "none yet"}
        {run?.finished_at === null && "under way"}
        {run?.finished_at && <Distance at={run.finished_at} />}
        {run && run.planned > 0 && (
          <span className={styles.more}>
            , {formatCount(run.read + run.unavailable)} of {formatQuantity(run.planned, "creator")} read
            {run.failed > 0 && `, ${formatCount(run.failed)} failed`}
          </span>
        )}
      </span>
      <span>
        {run_overdue ? (
          <strong>Today's run is late</strong>
        ) : (
          <>
            <strong>Next run</strong> <Distance at={next_run_at} />
          </>
        )}
      </span>
    </p>
  );
}

/**
 * Requests left today. Refetched whenever the reader returns to the page, including by Back, so that an ended session
 * is noticed. Pages show its errors.
 */
function QuotaLine() {
  const { data } = trpc.usage.today.useQuery(undefined, { refetchOnWindowFocus: "always" });
  if (!data) return <span className={styles.quota} />;
  const left = Math.max(0, data.requests_limit - data.requests_today);
  return (
    <span className={styles.quota}>
      <svg className={styles.meter} viewBox="0 0 64 3" aria-hidden>
        <rect width="64" height="3" rx="1.5" />
        <rect data-left width={(64 * left) / data.requests_limit} height="3" rx="1.5" />
      </svg>
      <span>
        <strong>{formatCount(left)}</strong> of {formatCount(data.requests_limit)}{" "}
        <span className={styles.more}>requests </span>left
        <span className={styles.more}>
          , resets <Distance at={data.resets_at} />
        </span>
      </span>
    </span>
  );
}

function DemoBar() {
  return (
    <p className={styles.demo}>
      <span>
        <strong>Live demo.</strong> Sample data, read-only.
      </span>
      {/* Full page loads: the public pages have different styles. */}
      <a href="/request-key">Get an API key</a>
      <a href="/sign-in">Sign in</a>
    </p>
  );
}

/** Says that the service cannot be reached. What is on the page stays. */
function OfflineBanner({ isReachable }: { isReachable: boolean }) {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!(online && isReachable) && (
        <p className={styles.offline}>
          {online ? "The service does not answer." : "You are offline."} The page shows what it last loaded; changes
          fail.
        </p>
      )}
    </div>
  );
}
