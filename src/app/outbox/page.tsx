import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { formatUtc } from "@/core/format";
import { readOutbox } from "@/core/mail/outbox";
import { getAppContext, getOutboxFolder } from "@/server/context";
import { SitePage } from "../site-page";

export const metadata: Metadata = { title: "Outbox" };

const MAILS_SHOWN = 50;

/** Mails of the embedded mailer, newest first. Development only: mails belong to their key. */
export default async function OutboxPage() {
  const { env } = getAppContext();
  if (env.mode !== "development") notFound();
  const mails = await readOutbox(getOutboxFolder(env), MAILS_SHOWN);
  return (
    <SitePage>
      <div className="page">
        <h1>Outbox</h1>
        <p>
          {mails.length === 0
            ? "No emails yet. They appear here when a tracked creator grows more than 10% in a day."
            : `The latest ${mails.length === 1 ? "email" : `${mails.length} emails`} of the embedded mailer. Nothing has left this machine.`}
        </p>
        {mails.map(({ mail, writtenAt }) => (
          <details key={mail.idempotencyKey} className="mail">
            <summary>
              <strong>{mail.subject}</strong> <span>to {mail.to}</span>{" "}
              <time dateTime={writtenAt.toISOString()}>{formatUtc(writtenAt)}</time>
            </summary>
            <iframe title={mail.subject} srcDoc={mail.html} sandbox="allow-popups" loading="lazy" />
            <pre>{mail.text}</pre>
          </details>
        ))}
      </div>
    </SitePage>
  );
}
