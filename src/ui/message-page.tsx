import type { ReactNode } from "react";
import styles from "./message-page.module.css";
import { SiteShell } from "./site-shell";

/** A page with one message and next steps. */
export function MessagePage({ title, text, actions }: { title: string; text: ReactNode; actions?: ReactNode }) {
  return (
    <SiteShell>
      <div className={styles.message}>
        <h1>{title}</h1>
        <p>{text}</p>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </SiteShell>
  );
}
