import type { ReactNode } from "react";
import { Brand } from "./brand";
import { Notice } from "./notice";
import styles from "./site-shell.module.css";

export interface SiteLink {
  href: string;
  text: string;
}

interface SiteShellProps {
  links?: readonly SiteLink[];
  /** Shown above everything else, such as what kind of data the page shows. */
  notice?: { label: string; text: string };
  footer?: { text: string; links: readonly SiteLink[] };
  /** Whether the children have a main landmark of their own. */
  hasOwnMain?: boolean;
  children: ReactNode;
}

/** The frame of every public page: skip link, header, main and footer. */
export function SiteShell({ links, notice, footer, hasOwnMain, children }: SiteShellProps) {
  const Main = hasOwnMain ? "div" : "main";
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header>
        {notice && <Notice label={notice.label}>{notice.text}</Notice>}
        <div className={styles.header}>
          {/* A full load on purpose: it also leads out of a page that failed. */}
          <a className={styles.brand} href="/">
            <Brand />
          </a>
          {links && <Links label="Page" links={links} />}
        </div>
      </header>
      <Main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </Main>
      {footer && (
        <footer className={styles.footer}>
          <div className={styles.footerInner}>
            <p>{footer.text}</p>
            <Links label="Service" links={footer.links} />
          </div>
        </footer>
      )}
    </div>
  );
}

function Links({ label, links }: { label: string; links: readonly SiteLink[] }) {
  return (
    <nav aria-label={label} className={styles.links}>
      {links.map(({ href, text }) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </nav>
  );
}
