import type { ReactNode } from "react";
import styles from "./docs-shell.module.css";
import type { SiteLink } from "./site-shell";

interface DocsShellProps {
  /** Every page of the documents, in reading order. */
  pages: readonly SiteLink[];
  /** Path of the current page. */
  current: string;
  /** Path of the Markdown version. */
  source: string;
  search?: ReactNode;
  children: ReactNode;
}

/** The frame of a documentation page: sidebar, text and next page. */
export function DocsShell({ pages, current, source, search, children }: DocsShellProps) {
  const index = pages.findIndex(({ href }) => href === current);
  const next = pages[index + 1];
  return (
    <div className={styles.docs}>
      <nav aria-label="Documents" className={styles.nav}>
        {search}
        <ul>
          {pages.map(({ href, text }) => (
            <li key={href}>
              <a href={href} aria-current={href === current ? "page" : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <article className={styles.article}>
        {children}
        <footer className={styles.foot}>
          <a href={source}>This page as Markdown</a>
          {next && <a href={next.href}>Next: {next.text}</a>}
        </footer>
      </article>
    </div>
  );
}
