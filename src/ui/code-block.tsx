import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  /** What kind of text it is, shown above it. */
  label: string;
  text: string;
}

/** A text to read and copy. Long lines scroll inside, also by keyboard. */
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

/** The text alone, for frames of their own. */
export function Code({ label, text }: CodeBlockProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <figure tabIndex={0} aria-label={label} className={styles.scroll}>
      <pre>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
