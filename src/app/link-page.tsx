import type { Metadata } from "next";
import type { ReactNode } from "react";
import button from "@/ui/button.module.css";
import { MessagePage } from "@/ui/message-page";

export interface LinkPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

interface MailLinkProps extends LinkPageProps {
  title: string;
  /** Takes the token by POST, then leads back here with `done`. */
  action: string;
  label: string;
  /** Shown once it is done. */
  done: { title: string; text: string };
  /** What the link is about; null for a link that is not valid. */
  find: (token: string) => string | null | Promise<string | null>;
  /** What the button does. @param subject what was found */
  children: (subject: string) => ReactNode;
}

/** The page behind a link of a mail, with at most one button. Opening it changes nothing. Works without JavaScript. */
export async function MailLink({ searchParams, title, action, label, done, find, children }: MailLinkProps) {
  const { token, done: isDone } = await searchParams;
  if (isDone) return <MessagePage {...done} />;
  const subject = typeof token === "string" ? await find(token) : null;
  if (!subject) return <MessagePage title="This link is not valid" text="Open the full link from your latest email." />;
  return (
    <MessagePage
      title={title}
      text={children(subject)}
      actions={
        <form method="post" action={`${action}?token=${encodeURIComponent(String(token))}`}>
          <button type="submit" className={button.primary}>
            {label}
          </button>
        </form>
      }
    />
  );
}

/** Metadata of a page whose address holds a token. */
export function buildLinkMetadata(title: string): Metadata {
  return { title, referrer: "no-referrer", robots: { index: false } };
}
