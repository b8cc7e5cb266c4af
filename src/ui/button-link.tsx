import type { ReactNode } from "react";
import styles from "./button.module.css";

/** A link that looks like a button. */
export function ButtonLink({ href, quiet, children }: { href: string; quiet?: boolean; children: ReactNode }) {
  return (
    <a className={quiet ? styles.quiet : styles.primary} href={href}>
      {children}
    </a>
  );
}
