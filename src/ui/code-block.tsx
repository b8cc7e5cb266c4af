import type { ReactNode } from "react";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  label: string;
  text: string;
  head?: ReactNode;
  /** What the button copies, where it is not the title. */
  what?: string;
  children?: ReactNode;
}

/** Code to copy. Long lines scroll, also by keyboard. */
export function CodeBlock({ label, text, head, what = label, children = text }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        {head ?? <span className={styles.label}>{label}</span>}
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <figure tabIndex={0} aria-label={label} className={styles.scroll}>
        <pre>
          <code>{children}</code>
        </pre>
      </figure>
    </div>
  );
}
