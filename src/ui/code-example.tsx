import { Code } from "./code-block";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button";

const TITLE = "With the API";
const PLACEHOLDER = /(<\w+>)/;

/** The API request that does the same as a page; words in angle brackets are placeholders. */
export function CodeExample({ command }: { command: string }) {
  // Splitting by a capturing group keeps the matches at odd indexes.
  const pieces = command.split(PLACEHOLDER).map((text, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
    index % 2 === 1 ? <b key={index}>{text}</b> : text,
  );
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <h3>{TITLE}</h3>
        <CopyButton text={command} what={TITLE} />
      </div>
      <Code label={`${TITLE}: command`} text={pieces} />
    </div>
  );
}
