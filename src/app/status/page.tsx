import type { Metadata } from "next";
import { formatDay, formatQuantity, formatSeconds, formatShare, formatUtc } from "@/core/format";
import { addDays, countDaysBetween } from "@/core/time";
import { getAppContext } from "@/server/context";
import { getServiceStatus, type ServiceStatus } from "@/server/ops/status";
import { ButtonLink } from "@/ui/button-link";
import { DataTable } from "@/ui/data-table";
import { Fact } from "@/ui/facts";
import { Section } from "@/ui/section";
import { withRequestDigest } from "../request-id";
import { SitePage } from "../site-page";
import styles from "./status.module.css";

export const metadata: Metadata = {
  title: "Status",
  description: "The daily runs and incidents of the last 30 days.",
};

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
  const last = status.runs[0];
  return (
    <SitePage footer={FOOTER}>
      <div className={styles.hero}>
        <div>
          <h1>{getHeadline(status)}</h1>
          <p className={styles.lead}>A daily run reads all tracked channels, from 06:00 UTC on.</p>
          <div className={styles.actions}>
            <ButtonLink href="#runs">Daily runs</ButtonLink>
            <ButtonLink href="#incidents" quiet>
              Incidents
            </ButtonLink>
          </div>
        </div>
        <dl>
          <Fact name="Last run">{last ? formatUtc(last.started_at) : "None yet"}</Fact>
          <Fact name="Next run">{formatUtc(status.next_run_at)}</Fact>
          <Fact name="Incidents" note="in the last 30 days">
            {status.incidents.length}
          </Fact>
        </dl>
      </div>
      <Runs runs={status.runs} />
      <Incidents incidents={status.incidents} />
    </SitePage>
  );
}

function getHeadline({ run_overdue, runs }: ServiceStatus): string {
  if (run_overdue) return "Today's daily run is late";
  return runs[0]?.finished_at === null ? "The daily run is under way" : "All systems are running";
}

function Runs({ runs }: Pick<ServiceStatus, "runs">) {
  const intro =
    "Coverage is the share of channels that the run read or found unavailable. Delay counts from 06:00 UTC.";
  return (
    <Section id="runs" title="Daily runs" intro={intro}>
      {runs.length === 0 ? (
        <p>There was no daily run in the last 30 days.</p>
      ) : (
        <>
          <RunStrip runs={runs} />
          <details className={styles.details}>
            <summary>View as table</summary>
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
          </details>
        </>
      )}
    </Section>
  );
}

/** One bar a day: whole, incomplete, or missing. */
function RunStrip({ runs }: Pick<ServiceStatus, "runs">) {
  const byDay = new Map(runs.map((run) => [run.day, run]));
  const [newest, oldest] = [runs[0]?.day ?? "", runs.at(-1)?.day ?? ""];
  const days = Array.from({ length: countDaysBetween(oldest, newest) + 1 }, (_, index) => addDays(oldest, index));
  const whole = runs.filter(isWhole).length;
  const summary = `${whole} of ${formatQuantity(days.length, "day")} with a complete run, from ${formatDay(oldest)} to ${formatDay(newest)}.`;
  const slowest = Math.max(...runs.map(({ duration_seconds }) => duration_seconds ?? 0));
  const latest = Math.max(...runs.map(({ delay_seconds }) => delay_seconds));
  return (
    <>
      <p>
        {summary} The longest took {formatSeconds(slowest)}; the latest began {formatSeconds(latest)} after 06:00 UTC.
      </p>
      <div className={styles.strip} role="img" aria-label={`Bars, one a day. ${summary}`}>
        {days.map((day) => {
          const run = byDay.get(day);
          const state = run ? (isWhole(run) ? "whole" : "partial") : "missing";
          return <i key={day} data-state={state} title={`${formatDay(day)}: ${describeRun(run)}`} />;
        })}
      </div>
      <p className={styles.legend} aria-hidden>
        <i data-state="whole" /> complete <i data-state="partial" /> incomplete or under way <i data-state="missing" />{" "}
        no run
      </p>
    </>
  );
}

type Run = ServiceStatus["runs"][number];

function isWhole({ coverage, finished_at }: Run): boolean {
  return finished_at !== null && (coverage ?? 1) === 1;
}

function describeRun(run: Run | undefined): string {
  if (!run) return "no run";
  if (run.finished_at === null) return "under way";
  return run.coverage === null ? "no channels" : `${formatShare(run.coverage)} read`;
}

function Incidents({ incidents }: Pick<ServiceStatus, "incidents">) {
  const intro = "What the run monitor found: runs that were missed, late, incomplete or failed.";
  return (
    <Section id="incidents" title="Incidents" intro={intro}>
      {incidents.length === 0 ? (
        <p>No incidents in the last 30 days.</p>
      ) : (
        <dl>
          {incidents.map(({ day, problem, noted_at }) => (
            <Fact key={day} name={formatDay(day)} note={`Noted ${formatUtc(noted_at)}`}>
              {problem}
            </Fact>
          ))}
        </dl>
      )}
    </Section>
  );
}
