import type { ReactNode } from "react";
import { Code } from "./code-block";
import styles from "./code-example.module.css";
import { CopyButton } from "./copy-button";

interface CodeExampleProps {
  title: string;
  /** The command; words in angle brackets are placeholders. */
  command: string;
  answer?: { label: string; value: object };
}

const PLACEHOLDER = /(<\w+>)/;
/** JSON values. */
const VALUE = /(?<=": )("(?:[^"\\]|\\.)*"|[-\d.]+|true|false|null)/;

/** A titled command with its response. Long lines scroll, also by keyboard. */
export function CodeExample({ title, command, answer }: CodeExampleProps) {
  return (
    <div className={styles.example}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <CopyButton text={command} what={title} />
      </div>
      <Code label={`${title}: command`} text={markPieces(command, PLACEHOLDER)} />
      {answer && (
        <>
          <p className={styles.label}>{answer.label}</p>
          <Code label={`${title}: answer`} text={markPieces(JSON.stringify(answer.value, null, 2), VALUE)} />
        </>
      )}
    </div>
  );
}

/** Splitting by a capturing group keeps the matches at odd indexes. */
function markPieces(code: string, mark: RegExp): ReactNode {
  return code.split(mark).map((text, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
    index % 2 === 1 ? <b key={index}>{text}</b> : text,
  );
}
