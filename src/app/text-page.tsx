import { MarkdownText } from "@/ui/markdown";
import { SitePage } from "./site-page";
import styles from "./text-page.module.css";

const FOOTER = {
  text: "This service is not part of YouTube or Google.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/terms", text: "Terms" },
    { href: "/privacy", text: "Privacy" },
  ],
};

/** A public page of Markdown. */
export function TextPage({ children }: { children: string }) {
  return (
    <SitePage footer={FOOTER}>
      <div className={styles.page}>
        <MarkdownText>{children}</MarkdownText>
      </div>
    </SitePage>
  );
}
