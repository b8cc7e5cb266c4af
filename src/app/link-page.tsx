import type { Metadata } from "next";
import type { ReactNode } from "react";
import button from "@/ui/button.module.css";
import { MessagePage } from "@/ui/message-page";
import type { SearchParams } from "./(console)/_server/page";

interface MailLink {
  title: string;
  /** Takes the token by POST, then leads back here with `done`. */
  action: string;
  label: string;
  done: { title: string; text: string };
  /** What the link is about; null for a link that is not valid. */
  find: (token: string) => string | null | Promise<string | null>;
  describe: (subject: string) => ReactNode;
}

/** The page behind a link of a mail, with at most one button. Opening it changes nothing. Works without JavaScript. */
export function createLinkPage({ title, action, label, done, find, describe }: MailLink) {
  return async function LinkPage({ searchParams }: { searchParams: SearchParams }) {
    const { token, done: isDone } = await searchParams;
    if (isDone) return <MessagePage {...done} />;
    const subject = typeof token === "string" ? await find(token) : null;
    if (!subject)
      return <MessagePage title="This link is not valid" text="Open the full link from your latest email." />;
    const form = (
      <form method="post" action={`${action}?token=${encodeURIComponent(String(token))}`}>
        <button type="submit" className={button.primary}>
          {label}
        </button>
      </form>
    );
    return <MessagePage title={title} text={describe(subject)} actions={form} />;
  };
}

/** Metadata of a page whose address holds a token. */
export function buildLinkMetadata(title: string): Metadata {
  return { title, referrer: "no-referrer", robots: { index: false } };
}
