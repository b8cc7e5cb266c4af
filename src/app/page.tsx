import { formatCount } from "@/core/format";
import { TIERS } from "@/db/values";
import { classifySeverity, formatAlertMessage, SEVERITY_SCALE } from "@/features/alerts/rules";
import { ALERT_TYPE, type Alert } from "@/features/alerts/schema";
import type { Creator } from "@/features/creators/schema";
import { computeGrowthPercent } from "@/features/growth/rules";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { buildSandboxChannelId } from "@/platform/sandbox";
import { getAppContext } from "@/server/context";
import { Badge } from "@/ui/badge";
import { CodeExample } from "@/ui/code-example";
import { Contact } from "@/ui/contact";
import { DataTable } from "@/ui/data-table";
import { Fact, Facts } from "@/ui/facts";
import { Hero } from "@/ui/hero";
import risingChart from "@/ui/rising-chart.svg";
import { Section } from "@/ui/section";
import { SiteShell } from "@/ui/site-shell";
import { Step, Steps } from "@/ui/steps";
import { formatCurl } from "./curl";
import { getSiteLinks } from "./site-links";

/** Depends on the environment, which the build does not know. */
export const dynamic = "force-dynamic";

const ACTIONS = [
  { href: "/request-key", text: "Get an API key" },
  { href: "#start", text: "Quick start" },
];
const DOCUMENTS = [
  { href: "/terms", text: "Terms" },
  { href: "/privacy", text: "Privacy" },
  { href: "/api/openapi.json", text: "OpenAPI document" },
  { href: "/api/health", text: "Health" },
];
const SAMPLE = {
  label: "Sample data",
  text: "Creators and counts are invented, so you can try everything without YouTube.",
};
const ORIGIN = "Counts come from YouTube; growth, score and severity are calculated by us, not by YouTube.";

/** The creators of the examples. */
const REAL = { channel_id: "UCY8vMFsho8bt_uH0G7KX-bg", name: "Juniper Fivecrits", handle: "@juniperfivecrits" };
const SANDBOX_SESSION = "r7Kq2mZx0B";
const RAMP = { channel_id: buildSandboxChannelId(SANDBOX_SESSION, "ramp"), name: "Ramp", handle: "@ramp" };
const SPIKE = { channel_id: buildSandboxChannelId(SANDBOX_SESSION, "viral_spike"), name: "Viral spike" };

/** An example of a found creator. @param before its subscribers a day and a week before */
function buildCreator(creator: Partial<Creator>, score: number, before: { day: number; week: number }) {
  const subscribers = 640;
  return {
    ...creator,
    subscribers,
    score,
    alert_level: "RISING",
    growth_1d_percent: computeGrowthPercent(before.day, subscribers),
    growth_7d_percent: computeGrowthPercent(before.week, subscribers),
  } satisfies Partial<Creator>;
}

function buildAlert({ channel_id, name }: typeof SPIKE, before: number, after: number, created_at?: string) {
  const { severity } = classifySeverity(before, after);
  const message = formatAlertMessage(name, before, after);
  return { channel_id, alert_type: ALERT_TYPE, message, created_at, severity } satisfies Partial<Alert>;
}

/** The answers of the quick start, and of the one in the sandbox. */
const EXAMPLES = {
  creator: buildCreator(REAL, 54, { day: 629, week: 578 }),
  alert: buildAlert(REAL, 640, 763, "2026-11-20T06:00:04.218Z"),
};
const SANDBOX_EXAMPLES = {
  creator: buildCreator(RAMP, 74, { day: 635, week: 607 }),
  alert: buildAlert(SPIKE, 5400, 9990),
};

export default async function HomePage() {
  const { env, platform } = getAppContext();
  const sample = platform.name === "sample";
  const realHandle = sample ? REAL.handle : "@YouTube";
  const origin = `${ORIGIN}${sample ? " With sample data, the counts are invented instead." : ""}`;
  return (
    <SiteShell
      links={await getSiteLinks()}
      notice={sample ? SAMPLE : undefined}
      footer={{ text: origin, links: DOCUMENTS }}
    >
      <Hero
        title="See which creators are rising before everybody knows"
        lead="Track video creators with a REST API. We read their subscriber counts once a day and alert you when one grows more than 10% in a day."
        actions={ACTIONS}
      >
        {/* biome-ignore lint/performance/noImgElement: a drawing needs no other sizes */}
        <img
          src={risingChart.src}
          width={520}
          height={380}
          style={{ width: "100%", height: "auto" }}
          alt="Example: one creator among many jumps in a day, which makes an alert; two weeks later everybody knows"
        />
      </Hero>
      <HowItWorks />
      <Severity />
      <QuickStart
        appUrl={env.appUrl}
        hasSandbox={env.hasSandbox}
        handle={env.hasSandbox ? "@viral_spike" : realHandle}
      />
      <Pricing />
      <GetKey contact={env.operatorContact} />
    </SiteShell>
  );
}

function HowItWorks() {
  return (
    <Section id="how" title="How it works" intro="Four steps. You do the first two.">
      <Steps>
        <Step title="Discover" by="GET /api/discover">
          Search a niche to get its creators, best growth score first.
        </Step>
        <Step title="Track" by="POST /api/track">
          Choose creators to follow. The first snapshot is taken right away.
        </Step>
        <Step title="Snapshot" by="daily, 06:00 UTC">
          Once a day we read the counts of every tracked creator.
        </Step>
        <Step title="Alert" by="GET /api/alerts">
          Growth of more than 10% in one day creates a {ALERT_TYPE} alert. If you set an address, we email it at once,
          coloured by severity.
        </Step>
      </Steps>
    </Section>
  );
}

function Severity() {
  const intro =
    "Every alert has one of four severities, by the growth in one day. A growth of exactly 15, 25 or 50% gets the stronger one. Exactly 10% is not an alert.";
  return (
    <Section id="severity" title="Severity" intro={intro}>
      <Facts>
        {SEVERITY_SCALE.map(({ severity, from, meaning, color }, index) => (
          <Fact key={severity} name={<Badge word={severity} color={color} />} note={meaning}>
            {index === 0 ? `${from}% and above` : `${from}% to ${SEVERITY_SCALE[index - 1]?.from}%`}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}

interface QuickStartProps {
  appUrl: string;
  /** Whether the examples run with the public key. */
  hasSandbox: boolean;
  handle: string;
}

function QuickStart({ appUrl, hasSandbox, handle }: QuickStartProps) {
  const { creator, alert } = hasSandbox ? SANDBOX_EXAMPLES : EXAMPLES;
  const key = hasSandbox ? SANDBOX_KEY : "<API_KEY>";
  const buildCurl = (path: string, ...options: string[]) => formatCurl(`${appUrl}${path}`, options, key);
  const body = [`-H "Content-Type: application/json"`, `-d '{"channel_id":"${handle}"}'`];
  const intro = (
    <>
      {hasSandbox ? (
        <>
          Copy and run: this key opens a <a href="/docs/sandbox">sandbox</a>, without an account.{" "}
        </>
      ) : (
        <>
          Replace <code>&lt;API_KEY&gt;</code> with your key. Each call uses one request.{" "}
        </>
      )}
      The <a href="/api/openapi.json">OpenAPI document</a> lists every endpoint, including the one that sets your
      address for alert emails.
    </>
  );
  return (
    <Section id="start" title="Quick start" intro={intro}>
      <CodeExample
        title="Find creators of a niche"
        command={buildCurl("/api/discover?niche=gaming")}
        answer={{ label: "Response (one creator)", value: creator }}
      />
      <CodeExample title="Track one of them" command={buildCurl("/api/track", ...body)} />
      <CodeExample
        title="Read your alerts"
        command={buildCurl("/api/alerts", ...(hasSandbox ? [`-H "X-Test-Clock: 2030-01-01T12:00:00Z"`] : []))}
        answer={{ label: "Response (one alert)", value: alert }}
      />
    </Section>
  );
}

function Pricing() {
  return (
    <Section id="pricing" title="Pricing" intro="Requests count per key, from midnight to midnight UTC.">
      <DataTable
        caption="Plans"
        columns={["Plan", "Requests per day", "Price per month"]}
        rows={TIERS.map((tier) => [
          tier,
          formatCount(TIER_RULES[tier].requestsPerDay),
          `$${TIER_RULES[tier].pricePerMonth}`,
        ])}
      />
    </Section>
  );
}

function GetKey({ contact }: { contact: string }) {
  return (
    <Section id="key" title="Get a key" intro="There is no sign-up. The operator issues each key.">
      <Facts>
        <Fact name="Ask">
          <a href="/request-key">Request a key</a>: which plan you want and what it is for
        </Fact>
        <Fact name="Answer">Within 24 hours, by email</Fact>
        <Fact name="Contact">
          <Contact>{contact}</Contact>
        </Fact>
      </Facts>
    </Section>
  );
}
