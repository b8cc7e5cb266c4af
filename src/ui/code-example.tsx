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
      <Code label={`${title}: command`} text={command} mark={PLACEHOLDER} />
      {answer && (
        <>
          <p className={styles.label}>{answer.label}</p>
          <Code label={`${title}: answer`} text={JSON.stringify(answer.value, null, 2)} mark={VALUE} />
        </>
      )}
    </div>
  );
}

function Code({ label, text, mark }: { label: string; text: string; mark: RegExp }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <figure tabIndex={0} aria-label={label} className={styles.scroll}>
      <pre>
        <code>
          {splitPieces(text, mark).map((piece) =>
            piece.marked ? <b key={piece.at}>{piece.text}</b> : piece.text,
          )}
        </code>
      </pre>
    </figure>
  );
}

/** Splitting by a capturing group keeps the matches at odd indexes. */
function splitPieces(code: string, mark: RegExp) {
  let end = 0;
  return code.split(mark).map((text, index) => {
    const at = end;
    end += text.length;
    return { at, text, marked: index % 2 === 1 };
  });
}
