import type { ReactNode } from "react";
import { formatUtc } from "@/core/format";
import styles from "./shared.module.css";

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
