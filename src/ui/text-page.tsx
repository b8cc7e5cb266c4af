import type { ReactNode } from "react";
import { SiteShell } from "./site-shell";
import styles from "./text-page.module.css";

interface TextPageProps extends Pick<Parameters<typeof SiteShell>[0], "links" | "notice" | "footer"> {
  title: string;
  lead: ReactNode;
  /** Sections of the text. */
  children: ReactNode;
}

/** A public text page. */
export function TextPage({ title, lead, links, notice, footer, children }: TextPageProps) {
  return (
    <SiteShell links={links} notice={notice} footer={footer}>
      <div className={styles.head}>
        <h1>{title}</h1>
        <p>{lead}</p>
      </div>
      {children}
    </SiteShell>
  );
}

/** Paragraphs and lists with spacing. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={styles.text}>{children}</div>;
}
