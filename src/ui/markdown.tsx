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

/** In tabs, shell code is labelled curl. */
const TAB_LABELS = { ...LABELS, sh: "curl" };

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
  pre: ({ node }) => <CodeBlock {...toSample(node, LABELS)} />,
  figure: ({ node }) => <CodeTabs samples={(node?.children ?? []).map((pre) => toSample(pre, TAB_LABELS))} />,
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

function Heading({ level: Level, id, children }: { level: "h2" | "h3"; id?: string; children?: React.ReactNode }) {
  return (
    <Level id={id}>
      <a className={styles.anchor} href={`#${id}`}>
        {children}
      </a>
    </Level>
  );
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

/** Label and text of a `pre` element. */
function toSample(pre: TreeNode | undefined, labels: Record<string, string>): { label: string; text: string } {
  const code = pre?.children?.find(({ tagName }) => tagName === "code");
  const [className = ""] = [code?.properties?.className ?? ""].flat();
  const language = String(className).replace("language-", "");
  const text = code?.children?.map(({ value }) => value ?? "").join("") ?? "";
  return { label: labels[language] ?? language, text: text.replace(/\n$/, "") };
}
