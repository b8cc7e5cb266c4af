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

const TITLE = "With the API";
const PLACEHOLDER = /(<\w+>)/;

/** The API request that does the same as a page; words in angle brackets are placeholders. */
export function CodeExample({ command }: { command: string }) {
  return (
    <CodeBlock label={`${TITLE}: command`} head={<h3>{TITLE}</h3>} what={TITLE} text={command}>
      {/* Splitting by a capturing group keeps the matches at odd indexes. */}
      {command.split(PLACEHOLDER).map((text, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
        index % 2 === 1 ? <b key={index}>{text}</b> : text,
      )}
    </CodeBlock>
  );
}
