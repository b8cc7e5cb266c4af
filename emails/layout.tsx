import type { ReactNode } from "react";
import {
  Body,
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

interface FooterProps {
  /** Small print above the reason. */
  notes?: string[];
  /** Why the recipient gets this mail. */
  reason: string;
  /** Absent in mails to addresses that have to confirm first. */
  unsubscribeUrl?: string;
  /** Mutes one creator; a smaller step than unsubscribing. */
  mute?: { text: string; url: string };
  consoleUrl: string;
}

interface LayoutProps extends FooterProps {
  /** The subject. */
  title: string;
  /** Shown beside the subject in an inbox. */
  preview: string;
  /** Background and text color, `#rrggbb`, of the strip on top of the card. */
  accent: { background: string; ink: string };
  strip: ReactNode;
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
        sans: [
          "-apple-system",
          "BlinkMacSystemFont",
          "Segoe UI",
          "Roboto",
          "Helvetica",
          "Arial",
          "sans-serif",
        ],
      },
    },
  },
};

/** Classes shared by the templates. `wrap` breaks long words, by word-break in clients without overflow-wrap. */
export const styles = {
  text: "m-0 text-ink dark:text-night-ink",
  small: "m-0 text-[13px] leading-[20px] text-quiet dark:text-night-quiet",
  wrap: "wrap-anywhere [word-break:break-word]",
  link: "text-quiet underline dark:text-night-quiet",
  button:
    "rounded-lg bg-ink px-6 py-3.5 text-[15px] font-semibold text-paper dark:bg-night-ink dark:text-ink",
};

/** Says that the counts are not YouTube's. */
export function SampleNote({ children }: { children: ReactNode }) {
  return (
    <Text className={`${styles.small} mb-4`}>
      <span className="rounded-md border border-dashed border-quiet px-2 py-1 dark:border-night-quiet">
        {children}
      </span>
    </Text>
  );
}

function Footer({ notes = [], reason, unsubscribeUrl, mute, consoleUrl }: FooterProps) {
  return (
    <Section className="px-5 pb-7">
      <Hr className="mt-0 mb-5 border-line dark:border-night-line" />
      {[...notes, reason].map((line) => (
        <Text key={line} className={`${styles.small} mb-2 ${styles.wrap}`}>
          {line}
        </Text>
      ))}
      <Text className={`${styles.small} mt-4 ${styles.wrap}`}>
        {mute && (
          <>
            <Link href={mute.url} className={styles.link}>
              {mute.text}
            </Link>
            <span>{" \u00a0·\u00a0 "}</span>
          </>
        )}
        {unsubscribeUrl && (
          <>
            <Link href={unsubscribeUrl} className={styles.link}>
              Unsubscribe
            </Link>
            <span>{" \u00a0·\u00a0 "}</span>
          </>
        )}
        <Link href={consoleUrl} className={styles.link}>
          Account console
        </Link>
      </Text>
    </Section>
  );
}

/**
 * The frame of every mail: a card with a colored strip, the content and the footer. The page has no background in light
 * mode, because Body copies it to an inner cell that no dark rule reaches.
 */
export function Layout({ title, preview, accent, strip, children, ...footer }: LayoutProps) {
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
              <Section
                className="rounded-t-[11px] px-5 py-3"
                style={{ backgroundColor: accent.background, color: accent.ink }}
              >
                <Text className="m-0 text-[13px] leading-[20px]" style={{ color: accent.ink }}>
                  {strip}
                </Text>
              </Section>
              <Section className="px-5 pt-7 pb-8">{children}</Section>
              <Footer {...footer} />
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
  const unsubscribe = footer.unsubscribeUrl ? `Unsubscribe: ${footer.unsubscribeUrl}\n` : "";
  const mute = footer.mute ? `${footer.mute.text}: ${footer.mute.url}\n` : "";
  const links = `${mute}${unsubscribe}Account console: ${footer.consoleUrl}`;
  return `${[...paragraphs, small, links].filter((part) => part !== null).join("\n\n")}\n`;
}
