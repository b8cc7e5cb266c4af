import type { ReactNode } from "react";
import { Brand } from "./brand";
import styles from "./site-shell.module.css";

interface SiteLink {
  href: string;
  text: string;
}

interface SiteShellProps {
  links?: readonly SiteLink[];
  footer?: { text: ReactNode; links: readonly SiteLink[] };
  /** True if the children contain the main landmark. */
  hasOwnMain?: boolean;
  children: ReactNode;
}

/** The frame of public pages: skip link, header, main and footer. */
export function SiteShell({ links, footer, hasOwnMain, children }: SiteShellProps) {
  const Main = hasOwnMain ? "div" : "main";
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <header>
        <div className={styles.header}>
          {/* Full page load, so that it also works on a failed page. */}
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
