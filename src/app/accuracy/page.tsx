import type { Metadata } from "next";
import { formatCount, formatDate } from "@/core/format";
import { getAlertAccuracy } from "@/features/alerts/outcomes.service";
import { type Accuracy, getScoreAccuracy } from "@/features/backtest/comparison.service";
import { listCorrections, type StoredCorrection } from "@/features/backtest/correction.service";
import { canCompareChannels, getAppContext } from "@/server/context";
import { ButtonLink } from "@/ui/button-link";
import { MessagePage } from "@/ui/message-page";
import { formatOfHundred, MIN_COUNTED, summarizeLevels } from "../record";
import { withRequestDigest } from "../request-id";
import { SitePage } from "../site-page";
import styles from "./accuracy.module.css";
import { AlertRecord } from "./alert-record";
import { Chances } from "./chances";
import { ChanceGroups } from "./groups";
import { LevelChart } from "./level-chart";
import { Method, Question } from "./method";
import { RangeRecord, Rules } from "./rules";

export const metadata: Metadata = {
  title: "Accuracy",
  description: "How scores, chances and alerts turned out: every grade, misses included.",
};

const ORIGIN = "Growth, score, chances and grades are calculated by us from the video platform's counts, not by it.";
const LINKS = [
  { href: "/", text: "Home page" },
  { href: "/status", text: "Status" },
  { href: "/docs/quick-start", text: "Docs" },
  { href: "/api/openapi.json", text: "OpenAPI" },
];

/** How the service's scores, chances and alerts turned out, in counts alone. A public page. */
export default async function AccuracyPage() {
  const ctx = getAppContext();
  if (!canCompareChannels(ctx))
    return (
      <MessagePage
        title="No accuracy figures here"
        text="YouTube must approve a service before it publishes figures based on YouTube counts. This service has no such approval set up."
        actions={<ButtonLink href="/">Home page</ButtonLink>}
      />
    );
  const [alerts, record, corrections] = await withRequestDigest(
    Promise.all([getAlertAccuracy(ctx), getScoreAccuracy(ctx), listCorrections(ctx)]),
  );
  const footer = (
    <>
      {ORIGIN}
      {ctx.platform.name === "sample" && (
        <>
          {" "}
          <strong>Sample data</strong>: creators, counts and alerts on this page are invented.
        </>
      )}
    </>
  );
  return (
    <SitePage footer={{ text: footer, links: LINKS }}>
      {record ? <ScoreRecord {...record} corrections={corrections} /> : <NoRecord />}
      <AlertRecord {...alerts} corrections={corrections} />
      {record && <Rules {...record} />}
      <Method />
    </SitePage>
  );
}

function ScoreRecord({ corrections, ...record }: Accuracy & { corrections: readonly StoredCorrection[] }) {
  const { levels, high, average } = summarizeLevels(record);
  const verdict =
    high.of < MIN_COUNTED
      ? "Too few high scores so far for a verdict"
      : `When our score is high, ${formatOfHundred(high.share)} of 100 creators grow 5% in a week`;
  return (
    <>
      <div className={styles.verdict}>
        <h1>{verdict}</h1>
        <p>
          Among all creators it is {Number(formatOfHundred(average.share))} of 100. {formatCount(average.of)} graded
          weeks of creators, {formatDate(record.first_day)} to {formatDate(record.last_day)}. Updated each morning,
          misses included.
        </p>
      </div>
      <LevelChart
        levels={levels}
        average={average}
        coverage={record.ranges[7].coverage}
        {...record.calibration.chance_7d}
      />
      <Chances {...record.calibration} corrections={corrections} />
      <ChanceGroups {...record} />
      <RangeRecord {...record} />
    </>
  );
}

function NoRecord() {
  return (
    <>
      <div className={styles.verdict}>
        <h1>Every score is graded a week later</h1>
        <p>No score of this service is a week old yet. Grades appear each morning, misses included.</p>
      </div>
      <Question id="soon" title="What will stand here">
        <ul className={styles.soon}>
          <li>
            <b>8 days after 100 creators were first measured:</b> how many of each level grew 5%, beside the average,
            whether chances of 7 days mean what they say, for small, large and new creators too, and how often growth
            ended in the expected range
          </li>
          <li>
            <b>29 days after:</b> the same for chances and ranges of 28 days
          </li>
          <li>
            <b>Each day from then on:</b> the score against simple rules, such as growth over 7 days
          </li>
        </ul>
      </Question>
    </>
  );
}
