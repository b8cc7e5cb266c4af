import Markdown, { type Components } from "react-markdown";
import rehypeSlug from "rehype-slug";
import remarkGfm from "remark-gfm";
import { CodeBlock } from "./code-block";
import { CodeTabs, LanguageChoice } from "./code-tabs";
import styles from "./markdown.module.css";

/** Display names of code languages. */
const LABELS: Record<string, string> = {
  sh: "Shell",
  js: "JavaScript",
  ts: "TypeScript",
  go: "Go",
  csv: "CSV",
  python: "Python",
  json: "JSON",
  http: "Headers",
  text: "Text",
};

/** The parts of mdast and hast nodes used here. */
interface TreeNode {
  type: string;
  children?: TreeNode[];
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  data?: object;
}

const COMPONENTS: Components = {
  h2: ({ node, ...props }) => <Heading level="h2" {...props} />,
  h3: ({ node, ...props }) => <Heading level="h3" {...props} />,
  table: ({ node, ...props }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <figure tabIndex={0} aria-label="Table" className={styles.table}>
      <table {...props} />
    </figure>
  ),
  pre: ({ node }) => <Sample {...toSample(node)} />,
  figure: ({ node }) => <CodeTabs samples={toTabs((node?.children ?? []).map(toSample))} />,
};

/** Markdown. Adjacent code blocks in different languages become tabs. */
export function MarkdownText({ children }: { children: string }) {
  return (
    <div className={styles.text}>
      <LanguageChoice>
        <Markdown remarkPlugins={[remarkGfm, groupCode]} rehypePlugins={[rehypeSlug]} components={COMPONENTS}>
          {children}
        </Markdown>
      </LanguageChoice>
    </div>
  );
}

interface HeadingProps {
  level: "h2" | "h3";
  id?: string;
  children?: React.ReactNode;
}

/** A heading that links to itself. */
function Heading({ level: Level, id, children }: HeadingProps) {
  return (
    <Level id={id}>
      <a className={styles.anchor} href={`#${id}`}>
        {children}
      </a>
    </Level>
  );
}

interface SampleText {
  language: string;
  text: string;
}

function Sample({ language, text }: SampleText) {
  return <CodeBlock label={LABELS[language] ?? language} text={text} />;
}

/** In tabs, shell code is labelled curl. */
function toTabs(samples: readonly SampleText[]) {
  return samples.map(({ language, text }) => ({
    label: language === "sh" ? "curl" : (LABELS[language] ?? language),
    text,
  }));
}

/** Groups adjacent code blocks of different languages. */
function groupCode() {
  return (tree: TreeNode): void => {
    const grouped: TreeNode[] = [];
    for (const node of tree.children ?? []) {
      const last = grouped.at(-1);
      if (node.type === "code" && last?.type === "codeGroup") last.children?.push(node);
      else if (node.type === "code") grouped.push({ type: "codeGroup", data: { hName: "figure" }, children: [node] });
      else grouped.push(node);
    }
    tree.children = grouped.map((node) => {
      const [first, ...others] = node.type === "codeGroup" ? (node.children ?? []) : [];
      return first && others.length === 0 ? first : node;
    });
  };
}

/** Language and text of a `pre` element. */
function toSample(pre: TreeNode | undefined): SampleText {
  const code = pre?.children?.find(({ tagName }) => tagName === "code");
  const [language = ""] = [code?.properties?.className ?? ""].flat();
  const text = code?.children?.map(({ value }) => value ?? "").join("") ?? "";
  return { language: String(language).replace("language-", ""), text: text.replace(/\n$/, "") };
}
