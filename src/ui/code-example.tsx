import { CodeBlock } from "./code-block";

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
