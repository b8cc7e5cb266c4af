import type { ReactNode } from "react";
import { formatQuantity, formatUtc } from "@/core/format";
import { toUtcDay } from "@/core/time";
import type { SharedList as Shared } from "@/features/creators/shares.service";
import { getAppContext } from "@/server/context";
import { PageHeader } from "../../_ui/page-header";
import { CreatorTable } from "../../(account)/overview/creator-table";
import styles from "./shared.module.css";

/** A list of creators for a reader without a key. Its rows lead to the channels. */
export function SharedList({ name, table: { creators, pagination }, expiresAt }: Shared) {
  const { clock, platform } = getAppContext();
  const hidden = pagination.total - creators.length;
  return (
    <main className={`${styles.page} ${styles.list}`}>
      <PageHeader title={name} lead={`${formatQuantity(pagination.total, "creator")}, the highest score first`}>
        {platform.name === "sample" && <strong className={styles.sample}>Sample data</strong>}
      </PageHeader>
      {creators.length > 0 && <CreatorTable creators={creators} first={1} alertsSince={toUtcDay(clock.now())} />}
      <SharedFooter expiresAt={expiresAt}>
        {hidden > 0 && `${formatQuantity(hidden, "more creator")} with lower scores. `}
      </SharedFooter>
    </main>
  );
}

/** Where the numbers of a shared page come from, and until when it is there. */
export function SharedFooter({ expiresAt, children }: { expiresAt: Date; children: ReactNode }) {
  return (
    <footer className={styles.footer}>
      <p>
        {children}Counts come from the platform; growth, expected range, score and level are calculated by us.{" "}
        <a href="/docs/growth">How they are calculated</a>
      </p>
      <p>This page expires on {formatUtc(expiresAt)}.</p>
    </footer>
  );
}
