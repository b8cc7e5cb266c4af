import type { Metadata } from "next";
import type { Accuracy, Grades } from "@/features/alerts/outcomes.schema";
import { accuracy } from "@/features/alerts/outcomes.service";
import { appContext, mayCompareChannels } from "@/server/context";
import { ButtonLink } from "@/ui/button-link";
import { DataTable } from "@/ui/data-table";
import { Fact, Facts } from "@/ui/facts";
import { Hero } from "@/ui/hero";
import { MessagePage } from "@/ui/message-page";
import { Section } from "@/ui/section";
import { SiteShell } from "@/ui/site-shell";
import { named } from "../request-id";
import { siteLinks } from "../site-links";

export const metadata: Metadata = { title: "Accuracy" };
export const dynamic = "force-dynamic";

const ACTIONS = [
  { href: "#days-7", text: "See the figures" },
  { href: "#rule", text: "How alerts are graded" },
];
const SAMPLE = {
  label: "Sample data",
  text: "The creators, counts and alerts behind these figures are invented.",
};
const FOOTER = {
  text: "Outcomes are calculated by us from the counts of the video platform; they are not the platform's own.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/api/openapi.json", text: "OpenAPI document" },
  ],
};
const LABELS = { sustained: "Sustained", spike: "Spike", too_early: "Too early" };
const COLUMNS = ["Held", "Faded", "Unclear"];

/** How the service's alerts turned out, in counts alone. A public page. */
export default async function AccuracyPage() {
  const ctx = appContext();
  if (!mayCompareChannels(ctx)) return <NotPublished />;
  const figures = await named(accuracy(ctx));
  const lead = `Every alert is graded 7 and 28 days later by the counts of that day. These are all alerts from ${figures.from} to ${figures.to}. Alerts of one channel at most 7 days apart are one rise, graded by its first alert.`;
  return (
    <SiteShell
      links={await siteLinks()}
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
    </SiteShell>
  );
}

function NotPublished() {
  return (
    <MessagePage
      title="No accuracy figures here"
      text="YouTube allows figures derived from its counts only to services whose application it has accepted. The operator of this service has stated no such acceptance, so none are published."
      actions={<ButtonLink href="/">Home page</ButtonLink>}
    />
  );
}

function Summary({ alerts, rises, horizons }: Accuracy) {
  return (
    <Facts>
      <Fact name="Rises" note={`${alerts.toLocaleString("en-US")} alerts`}>
        {rises.toLocaleString("en-US")}
      </Fact>
      {horizons.map((horizon) => (
        <Fact key={horizon.days} name={`After ${horizon.days} days`} note={inNumbers(horizon.rises)}>
          {shareHeld(horizon.rises)}
        </Fact>
      ))}
    </Facts>
  );
}

/** Unclear outcomes do not count in the share; the note shows them. */
function shareHeld({ held, faded }: Grades): string {
  const graded = held + faded;
  return graded === 0 ? "No grade yet" : `${Math.round((100 * held) / graded)}% held`;
}

function inNumbers({ held, faded, unclear }: Grades): string | undefined {
  if (held + faded + unclear === 0) return undefined;
  return `${held} of ${held + faded}; ${unclear} unclear`;
}

function Figures({ days, all, rises, by_severity, by_label }: Accuracy["horizons"][number]) {
  const isEmpty = all.held + all.faded + all.unclear === 0;
  return (
    <Section
      id={`days-${days}`}
      title={`After ${days} days`}
      intro={
        days === 7
          ? "Held: within 7 days the channel gained at least half as many subscribers again as on the day of the alert."
          : "Held: within 28 days the channel gained at least as many subscribers again as on the day of the alert."
      }
    >
      {isEmpty ? (
        <p>No alert of these days is {days} days old yet. The figures appear here as alerts are graded.</p>
      ) : (
        <>
          <GradeTable
            head="Counted by"
            caption={`Outcomes after ${days} days of rises and of all alerts`}
            rows={[
              { name: "Rises, by their first alert", grades: rises },
              { name: "All alerts", grades: all },
            ]}
          />
          <GradeTable
            head="Severity"
            caption={`Outcomes after ${days} days by severity`}
            rows={by_severity.map(({ severity, ...grades }) => ({ name: severity, grades }))}
          />
          <GradeTable
            head="Label"
            caption={`Outcomes after ${days} days by label`}
            rows={by_label.map(({ label, ...grades }) => ({ name: LABELS[label], grades }))}
          />
        </>
      )}
    </Section>
  );
}

interface GradeTableProps {
  head: string;
  caption: string;
  rows: { name: string; grades: Grades }[];
}

function GradeTable({ head, caption, rows }: GradeTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={[head, ...COLUMNS]}
      numeric={COLUMNS}
      rows={rows.map(({ name, grades: { held, faded, unclear } }) => ({
        name,
        cells: [name, held, faded, unclear],
      }))}
    />
  );
}

function Rule() {
  const intro =
    "The rule is the same for every alert, and a grade once given stays. Counts that the platform rounds are taken for all they may stand for.";
  return (
    <Section id="rule" title="How alerts are graded" intro={intro}>
      <Facts>
        <Fact name="Held">The channel gained enough again, whatever the rounding of counts hides</Fact>
        <Fact name="Faded">It gained less, or lost, whatever the rounding hides</Fact>
        <Fact name="Unclear">
          There is no reading of that day or the two after it, or the rounding allows either
        </Fact>
        <Fact name="Sustained">Said at the alert: the channel was growing before that day already</Fact>
        <Fact name="Spike">Said at the alert: the day stands alone</Fact>
        <Fact name="Too early">Said at the alert: there were fewer than 14 days of readings</Fact>
      </Facts>
    </Section>
  );
}
