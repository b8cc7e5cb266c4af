import type { ReactNode } from "react";
import { Heading, render, Text } from "react-email";
import { type FooterProps, Layout, MailButton, type RenderedMail, renderTextPart, type Strip, styles } from "./layout";

/** A short mail: one statement, what it means, and at most one button. */
export interface Notice extends FooterProps {
  subject: string;
  /** Shown beside the subject in an inbox. */
  preview: string;
  strip: Strip;
  lead: string;
  /** The lead of the html part, where it differs. */
  richLead?: ReactNode;
  paragraphs: readonly string[];
  /** The html part in place of paragraphs and button. */
  body?: ReactNode;
  button?: { text: string; url: string };
}

/** Renders a short mail: subject, html and text. */
export async function renderNotice(notice: Notice): Promise<RenderedMail> {
  const { subject, preview, strip, lead, richLead, paragraphs, body, button, ...footer } = notice;
  const html = await render(
    <Layout title={subject} preview={preview} strip={strip} {...footer}>
      <Heading className={`${styles.text} text-[18px] leading-[26px] font-semibold ${styles.wrap}`}>
        {richLead ?? lead}
      </Heading>
      {body ??
        paragraphs.map((paragraph) => (
          <Text key={paragraph} className={styles.paragraph}>
            {paragraph}
          </Text>
        ))}
      {button && <MailButton href={button.url}>{button.text}</MailButton>}
    </Layout>,
  );
  const link = button ? [`${button.text}: ${button.url}`] : [];
  return { subject, html, text: renderTextPart([lead, ...paragraphs, ...link], footer) };
}
