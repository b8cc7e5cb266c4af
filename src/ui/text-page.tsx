import { MarkdownText } from "./markdown";
import { type SiteLink, SiteShell } from "./site-shell";
import styles from "./text-page.module.css";

/** A public page of Markdown. */
export function TextPage({ links, children }: { links: readonly SiteLink[]; children: string }) {
  return (
    <SiteShell links={links} footer={FOOTER}>
      <div className={styles.page}>
        <MarkdownText>{children}</MarkdownText>
      </div>
    </SiteShell>
  );
}

const FOOTER = {
  text: "This service is not part of YouTube or Google.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/terms", text: "Terms" },
    { href: "/privacy", text: "Privacy" },
  ],
};
