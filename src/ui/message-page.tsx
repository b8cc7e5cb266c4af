import type { ReactNode } from "react";
import styles from "./message-page.module.css";
import { SiteShell } from "./site-shell";

interface MessagePageProps {
  title: string;
  text: ReactNode;
  /** What the reader can do now. */
  actions?: ReactNode;
}

/** A page that says one thing and offers the way on. */
export function MessagePage({ title, text, actions }: MessagePageProps) {
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
