import { Column, Img, Link, Row, Section, Text } from "react-email";
import { toSingleLine } from "./format";
import { styles } from "./layout";

/** What a rise likely came from. */
export interface CauseProps {
  text: string;
  /** The videos that it names, the likeliest first. */
  videos: {
    title: string;
    url: string;
    thumbnailUrl: string | null;
    /** Views, age and times the usual: "1.20M views in 31 hours, 24 times its usual". */
    facts: string;
  }[];
}

/** The picture, title and facts of each video, or the sentence where there is none. */
export function Cause({ text, videos }: CauseProps) {
  if (videos.length === 0) return <Text className={`${styles.small} mt-5`}>{text}</Text>;
  return (
    <Section className="mt-5">
      <Text className={`${styles.small} mb-1`}>{videos.length === 1 ? "Likely cause" : "Likely causes"}</Text>
      {videos.map(({ title, url, thumbnailUrl, facts }) => (
        <Row key={url} className="mb-2">
          {thumbnailUrl && (
            <Column className="w-[108px] pr-3 align-top">
              <Link href={url}>
                <Img src={thumbnailUrl} alt="" width="96" height="54" className="rounded-md" />
              </Link>
            </Column>
          )}
          <Column className="align-top">
            <Text className={`${styles.text} text-[15px] leading-[22px] ${styles.wrap}`}>
              <Link href={url} className="font-semibold text-ink underline dark:text-night-ink" dir="auto">
                {toSingleLine(title) || "Untitled video"}
              </Link>
            </Text>
            <Text className={styles.small}>{facts}</Text>
          </Column>
        </Row>
      ))}
    </Section>
  );
}

/** The same for the text part. */
export function formatCauseLines({ text, videos }: CauseProps): string {
  return [text, ...videos.map(({ url }) => url)].join("\n");
}
