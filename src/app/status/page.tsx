import type { Metadata } from "next";
import { formatDay, formatSeconds, formatShare, formatUtc } from "@/core/format";
import { getAppContext } from "@/server/context";
import { getServiceStatus, type ServiceStatus } from "@/server/ops/status";
import { DataTable } from "@/ui/data-table";
import { Fact, Facts } from "@/ui/facts";
import { Hero } from "@/ui/hero";
import { Section } from "@/ui/section";
import { SiteShell } from "@/ui/site-shell";
import { withRequestDigest } from "../request-id";
import { getSiteLinks } from "../site-links";

export const metadata: Metadata = {
  title: "Status",
  description: "The daily runs and incidents of the last 30 days.",
};
export const dynamic = "force-dynamic";

const ACTIONS = [
  { href: "#runs", text: "Daily runs" },
  { href: "#incidents", text: "Incidents" },
];
const FOOTER = {
  text: "Times are UTC. The same facts as JSON need no key.",
  links: [
    { href: "/api/status", text: "Status as JSON" },
    { href: "/docs/changelog", text: "Changelog" },
    { href: "/", text: "Home page" },
  ],
};

/** Whether the daily runs were on time and complete. A public page. */
export default async function StatusPage() {
  const status = await withRequestDigest(getServiceStatus(getAppContext()));
  return (
    <SiteShell links={await getSiteLinks()} footer={FOOTER}>
      <Hero
        title={getHeadline(status)}
        lead="A daily run reads all tracked channels, from 06:00 UTC on."
        actions={ACTIONS}
      >
        <Summary {...status} />
      </Hero>
      <Runs runs={status.runs} />
      <Incidents incidents={status.incidents} />
    </SiteShell>
  );
}

function getHeadline({ run_overdue, runs }: ServiceStatus): string {
  if (run_overdue) return "Today's daily run is late";
  return runs[0]?.finished_at === null ? "The daily run is under way" : "All systems are running";
}

function Summary({ runs, next_run_at, incidents }: ServiceStatus) {
  const last = runs[0];
  return (
    <Facts>
      <Fact name="Last run">{last ? formatUtc(last.started_at) : "None yet"}</Fact>
      <Fact name="Next run">{formatUtc(next_run_at)}</Fact>
      <Fact name="Incidents" note="in the last 30 days">
        {incidents.length}
      </Fact>
    </Facts>
  );
}

function Runs({ runs }: Pick<ServiceStatus, "runs">) {
  const intro =
    "Coverage is the share of channels that the run read or found unavailable. Delay counts from 06:00 UTC.";
  return (
    <Section id="runs" title="Daily runs" intro={intro}>
      {runs.length === 0 ? (
        <p>There was no daily run in the last 30 days.</p>
      ) : (
        <DataTable
          caption="Daily runs of the last 30 days"
          columns={["Day", "Coverage", "Duration", "Delay"]}
          rows={runs.map(({ day, coverage, duration_seconds, delay_seconds }) => [
            formatDay(day),
            coverage === null ? "No channels" : formatShare(coverage),
            duration_seconds === null ? "Running" : formatSeconds(duration_seconds),
            formatSeconds(delay_seconds),
          ])}
        />
      )}
    </Section>
  );
}

function Incidents({ incidents }: Pick<ServiceStatus, "incidents">) {
  const intro = "What the run monitor found: runs that were missed, late, incomplete or failed.";
  return (
    <Section id="incidents" title="Incidents" intro={intro}>
      {incidents.length === 0 ? (
        <p>No incidents in the last 30 days.</p>
      ) : (
        <Facts>
          {incidents.map(({ day, problem, noted_at }) => (
            <Fact key={day} name={formatDay(day)} note={`Noted ${formatUtc(noted_at)}`}>
              {problem}
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  );
}
