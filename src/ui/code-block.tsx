import type { ReactNode } from "react";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  /** Title, such as the language. */
  label: string;
  text: string;
}

/** Code to copy. Long lines scroll, also by keyboard. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        <CopyButton text={text} what={label} />
      </div>
      <Code label={label} text={text} />
    </div>
  );
}

/** The code without a frame. */
export function Code({ label, text }: Omit<CodeBlockProps, "text"> & { text: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <figure tabIndex={0} aria-label={label} className={styles.scroll}>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
