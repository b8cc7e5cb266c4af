import type { Metadata } from "next";
import { formatCount, formatDate } from "@/core/format";
import type { Accuracy, Grades } from "@/features/alerts/outcomes.schema";
import { getAlertAccuracy } from "@/features/alerts/outcomes.service";
import { getScoreAccuracy } from "@/features/backtest/comparison.service";
import { canCompareChannels, getAppContext } from "@/server/context";
import { ButtonLink } from "@/ui/button-link";
import { DataTable } from "@/ui/data-table";
import { Fact, Facts } from "@/ui/facts";
import { Hero } from "@/ui/hero";
import { MessagePage } from "@/ui/message-page";
import { Section } from "@/ui/section";
import { SiteShell } from "@/ui/site-shell";
import { withRequestDigest } from "../request-id";
import { getSiteLinks } from "../site-links";
import { ScoreRecord, ScoreRule } from "./score-record";

export const metadata: Metadata = { title: "Accuracy" };
export const dynamic = "force-dynamic";

const ACTIONS = [
  { href: "#days-7", text: "See the figures" },
  { href: "#score", text: "How the score turned out" },
];
const SAMPLE = { label: "Sample data", text: "These figures come from invented creators, counts and alerts." };
const FOOTER = {
  text: "We calculate outcomes from the video platform's counts. They are not the platform's own figures.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/api/openapi.json", text: "OpenAPI document" },
  ],
};
const LABELS = {
  sustained: "Sustained",
  single_day: "Single day",
  recovery: "Recovery",
  too_early: "Too early",
};

/** How the service's alerts turned out, in counts alone. A public page. */
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
  const [figures, record] = await withRequestDigest(Promise.all([getAlertAccuracy(ctx), getScoreAccuracy(ctx)]));
  const lead = `We grade every alert after 7 and 28 days by the counts of that day. This page covers all alerts from ${formatDate(figures.from)} to ${formatDate(figures.to)} (UTC). Alerts for one channel at most 7 days apart are one rise, graded by its first alert.`;
  return (
    <SiteShell
      links={await getSiteLinks()}
      notice={ctx.platform.name === "sample" ? SAMPLE : undefined}
      footer={FOOTER}
    >
      <Hero title="How our alerts turned out" lead={lead} actions={ACTIONS}>
        <Summary {...figures} />
      </Hero>
      {figures.horizons.map((horizon) => (
        <Figures key={horizon.days} {...horizon} />
      ))}
      <Rule />
      <ScoreRecord record={record} />
      <ScoreRule />
    </SiteShell>
  );
}

function Summary({ alerts, rises, horizons }: Accuracy) {
  return (
    <Facts>
      <Fact name="Rises" note={`${formatCount(alerts)} alerts`}>
        {formatCount(rises)}
      </Fact>
      {horizons.map((horizon) => (
        <Fact key={horizon.days} name={`After ${horizon.days} days`} note={formatGrades(horizon.rises)}>
          {formatShareHeld(horizon.rises)}
        </Fact>
      ))}
    </Facts>
  );
}

/** Unclear outcomes do not count in the share; the note shows them. */
function formatShareHeld({ held, faded }: Grades): string {
  const graded = held + faded;
  return graded === 0 ? "No grades yet" : `${Math.round((100 * held) / graded)}% held`;
}

function formatGrades({ held, faded, unclear }: Grades): string | undefined {
  if (held + faded + unclear === 0) return undefined;
  return `${held} of ${held + faded}; ${unclear} unclear`;
}

function Figures({ days, all, rises, by_severity, by_label, by_month }: Accuracy["horizons"][number]) {
  const tables = [
    {
      head: "Counted by",
      caption: `Outcomes after ${days} days: rises and all alerts`,
      grades: [
        { name: "Rises, by their first alert", ...rises },
        { name: "All alerts", ...all },
      ],
    },
    {
      head: "Rises by month",
      caption: `Outcomes of rises after ${days} days by month`,
      grades: by_month.map(({ month, rises }) => ({ name: month, ...rises })),
    },
    {
      head: "Alerts by month",
      caption: `Outcomes of all alerts after ${days} days by month`,
      grades: by_month.map(({ month, all }) => ({ name: month, ...all })),
    },
    {
      head: "Severity",
      caption: `Outcomes after ${days} days by severity`,
      grades: by_severity.map(({ severity, ...grades }) => ({ name: severity, ...grades })),
    },
    {
      head: "Label",
      caption: `Outcomes after ${days} days by label`,
      grades: by_label.map(({ label, ...grades }) => ({ name: LABELS[label], ...grades })),
    },
  ];
  const gain = days === 7 ? "half as many" : "as many";
  const intro = `Held: within ${days} days, the channel gained at least ${gain} subscribers again as on the alert day.`;
  return (
    <Section id={`days-${days}`} title={`After ${days} days`} intro={intro}>
      {all.held + all.faded + all.unclear === 0 ? (
        <p>No alerts are {days} days old yet. Figures appear here as we grade them.</p>
      ) : (
        tables.map(({ head, caption, grades }) => (
          <DataTable
            key={head}
            caption={caption}
            columns={[head, "Held", "Faded", "Unclear"]}
            rows={grades.map(({ name, held, faded, unclear }) => [name, held, faded, unclear])}
          />
        ))
      )}
    </Section>
  );
}

function Rule() {
  const intro =
    "The same rule applies to every alert, and a grade never changes. We allow for the platform's rounding of counts.";
  return (
    <Section id="rule" title="How alerts are graded" intro={intro}>
      <Facts>
        <Fact name="Held">The channel gained enough again, even allowing for rounding</Fact>
        <Fact name="Faded">It gained less or lost subscribers, even allowing for rounding</Fact>
        <Fact name="Unclear">Snapshots of that day and the two after are missing, or rounding allows either grade</Fact>
        <Fact name="Sustained">The channel was already growing 5% a week before the alert</Fact>
        <Fact name="Single day">The channel grew less than 5% a week before the alert</Fact>
        <Fact name="Recovery">It was back to a count of the 28 days before</Fact>
        <Fact name="Too early">There were fewer than 7 days of snapshots before the alert</Fact>
      </Facts>
    </Section>
  );
}
