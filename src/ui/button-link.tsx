import type { ReactNode } from "react";
import styles from "./button.module.css";

interface ButtonLinkProps {
  href: string;
  quiet?: boolean;
  children: ReactNode;
}

/** A link that looks like a button. */
export function ButtonLink({ href, quiet, children }: ButtonLinkProps) {
  return (
    <a className={quiet ? styles.quiet : styles.primary} href={href}>
      {children}
    </a>
  );
}
