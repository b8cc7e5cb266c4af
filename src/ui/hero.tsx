import type { ReactNode } from "react";
import { ButtonLink } from "./button-link";
import styles from "./hero.module.css";
import type { SiteLink } from "./site-shell";

interface HeroProps {
  title: string;
  lead: string;
  /** The first is the primary action. */
  actions: readonly SiteLink[];
  /** An illustration. */
  children: ReactNode;
}

/** The hero of a page. */
export function Hero({ title, lead, actions, children }: HeroProps) {
  return (
    <div className={styles.hero}>
      <div>
        <h1>{title}</h1>
        <p className={styles.lead}>{lead}</p>
        <div className={styles.actions}>
          {actions.map(({ href, text }, index) => (
            <ButtonLink key={href} href={href} quiet={index > 0}>
              {text}
            </ButtonLink>
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}
