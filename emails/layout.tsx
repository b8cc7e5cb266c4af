import { Fragment, type ReactNode } from "react";
import {
  Body,
  Button,
  Container,
  Head,
  Hr,
  Html,
  Link,
  Preview,
  pixelBasedPreset,
  Section,
  Tailwind,
  Text,
} from "react-email";

/** A mail as it is stored and sent. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

export interface FooterProps {
  /** Small print above the reason. */
  notes?: string[];
  reason: string;
  /** Absent in mails to addresses that have to confirm first. */
  unsubscribeUrl?: string;
  /** Mutes one creator; a smaller step than unsubscribing. */
  mute?: { text: string; url: string };
  consoleUrl: string;
}

/** The strip on top of the card. */
export interface Strip {
  symbol?: string;
  word: string;
  note: string;
  /** `#rrggbb`, with enough contrast to dark text; a dark strip without. */
  color?: string;
}

interface LayoutProps extends FooterProps {
  title: string;
  /** Shown beside the subject in an inbox. */
  preview: string;
  strip: Strip;
  children: ReactNode;
}

/** The colors of all mails. Those named "night" are for dark mode. */
export const palette = {
  ink: "#09090b",
  quiet: "#52525b",
  paper: "#ffffff",
  line: "#e4e4e7",
  "night-ink": "#fafafa",
  "night-quiet": "#a1a1aa",
  "night-paper": "#18181b",
  "night-line": "#3f3f46",
  night: "#09090b",
};

const config = {
  presets: [pixelBasedPreset],
  theme: {
    extend: {
      colors: palette,
      fontFamily: {
        sans: ["-apple-system", "BlinkMacSystemFont", "Segoe UI", "Roboto", "Helvetica", "Arial", "sans-serif"],
      },
    },
  },
};

/** Classes shared by the templates. `wrap` breaks long words, by word-break in clients without overflow-wrap. */
export const styles = {
  text: "m-0 text-ink dark:text-night-ink",
  small: "m-0 text-[13px] leading-[20px] text-quiet dark:text-night-quiet",
  wrap: "wrap-anywhere [word-break:break-word]",
  paragraph: "m-0 mt-3 text-[15px] leading-[24px] wrap-anywhere [word-break:break-word] text-ink dark:text-night-ink",
  link: "text-quiet underline dark:text-night-quiet",
  button: "rounded-lg bg-ink px-6 py-3.5 text-[15px] font-semibold text-paper dark:bg-night-ink dark:text-ink",
};

/** The action of a mail. */
export function MailButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Section className="mt-7">
      <Button href={href} className={styles.button}>
        {children}
      </Button>
    </Section>
  );
}

/** Says that the counts are not YouTube's. */
export function SampleNote({ children }: { children: ReactNode }) {
  return (
    <Text className={`${styles.small} mb-4`}>
      <span className="rounded-md border border-dashed border-quiet px-2 py-1 dark:border-night-quiet">{children}</span>
    </Text>
  );
}

function listLinks({ mute, unsubscribeUrl, consoleUrl }: FooterProps): { text: string; url: string }[] {
  return [
    ...(mute ? [mute] : []),
    ...(unsubscribeUrl ? [{ text: "Unsubscribe", url: unsubscribeUrl }] : []),
    { text: "Account console", url: consoleUrl },
  ];
}

/**
 * The frame of every mail: a card with a colored strip, the content and the footer. The page has no background in light
 * mode, because Body copies it to an inner cell that no dark rule reaches.
 */
export function Layout({ title, preview, strip, children, ...footer }: LayoutProps) {
  const { symbol, word, note, color = "#3f3f46" } = strip;
  const ink = strip.color ? palette.ink : palette.paper;
  return (
    <Tailwind config={config}>
      <Html lang="en">
        <Head>
          <title>{title}</title>
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="supported-color-schemes" content="light dark" />
          <style>{":root { color-scheme: light dark; supported-color-schemes: light dark; }"}</style>
        </Head>
        <Body className="m-0 font-sans dark:bg-night">
          <Preview useTitleTag={false}>{preview}</Preview>
          <Section className="px-3 py-8 dark:bg-night">
            <Container className="max-w-[520px] border-separate rounded-xl border border-solid border-line bg-paper dark:border-night-line dark:bg-night-paper">
              <Section className="rounded-t-[11px] px-5 py-3" style={{ backgroundColor: color, color: ink }}>
                <Text className="m-0 text-[13px] leading-[20px]" style={{ color: ink }}>
                  {symbol && (
                    <>
                      <span aria-hidden="true">{symbol}</span>{" "}
                    </>
                  )}
                  <strong className="tracking-[0.06em]">{word}</strong>
                  <span>{` \u00a0${note}`}</span>
                </Text>
              </Section>
              <Section className="px-5 pt-7 pb-8">{children}</Section>
              <Section className="px-5 pb-7">
                <Hr className="mt-0 mb-5 border-line dark:border-night-line" />
                {[...(footer.notes ?? []), footer.reason].map((line) => (
                  <Text key={line} className={`${styles.small} mb-2 ${styles.wrap}`}>
                    {line}
                  </Text>
                ))}
                <Text className={`${styles.small} mt-4 ${styles.wrap}`}>
                  {listLinks(footer).map(({ text, url }, index) => (
                    <Fragment key={text}>
                      {index > 0 && <span>{" \u00a0·\u00a0 "}</span>}
                      <Link href={url} className={styles.link}>
                        {text}
                      </Link>
                    </Fragment>
                  ))}
                </Text>
              </Section>
            </Container>
          </Section>
        </Body>
      </Html>
    </Tailwind>
  );
}

/** The text part: paragraphs without null ones, then the footer of the html part. */
export function renderTextPart(paragraphs: (string | null)[], footer: FooterProps): string {
  const small = [...(footer.notes ?? []), footer.reason].join("\n");
  const links = listLinks(footer).map(({ text, url }) => `${text}: ${url}`);
  return `${[...paragraphs, small, links.join("\n")].filter((part) => part !== null).join("\n\n")}\n`;
}
