import { formatCount } from "@/core/format";
import { TIERS } from "@/db/values";
import { getAlertAccuracy } from "@/features/alerts/outcomes.service";
import { getScoreAccuracy } from "@/features/backtest/comparison.service";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { TIER_NAMES, TIER_RULES } from "@/features/usage/tiers.rules";
import { canCompareChannels, getAppContext } from "@/server/context";
import button from "@/ui/button.module.css";
import { ButtonLink } from "@/ui/button-link";
import { Contact } from "@/ui/contact";
import { ConsolePicture } from "./_home/console-picture";
import { Evidence } from "./_home/evidence";
import styles from "./_home/home.module.css";
import { HomeSection, Record } from "./_home/record";
import { formatCurl } from "./curl";
import { withRequestDigest } from "./request-id";
import { SitePage } from "./site-page";

const DOCUMENTS = [
  { href: "/accuracy", text: "Accuracy" },
  { href: "/status", text: "Status" },
  { href: "/docs/quick-start", text: "Docs" },
  { href: "/api/openapi.json", text: "OpenAPI" },
  { href: "/terms", text: "Terms" },
  { href: "/privacy", text: "Privacy" },
];
const ORIGIN = "Counts come from YouTube; growth, score, severity and cause are calculated by us, not by YouTube.";
const SAMPLE = " On this service, creators and counts are sample data.";

export default async function HomePage() {
  const ctx = getAppContext();
  const { env, platform } = ctx;
  const sample = platform.name === "sample";
  const figures = canCompareChannels(ctx)
    ? await withRequestDigest(Promise.all([getScoreAccuracy(ctx), getAlertAccuracy(ctx)]))
    : null;
  const key = env.hasSandbox ? SANDBOX_KEY : "$API_KEY";
  const footer = (
    <>
      {ORIGIN}
      {sample && SAMPLE} Contact: <Contact>{env.operatorContact}</Contact>.
    </>
  );
  return (
    <SitePage footer={{ text: footer, links: DOCUMENTS }}>
      <div className={styles.hero}>
        <h1>Spot rising creators before everyone else</h1>
        <div>
          <p>
            Each morning: <b>who</b> is rising on YouTube, <b>why</b>, and <b>how sure</b> we are. Track the creators
            you scout and get an email the day one jumps.
          </p>
          <div className={styles.actions}>
            {env.demoKeyId !== null && (
              <form method="post" action="/demo" encType="multipart/form-data">
                {/* Some parsers refuse a form without fields. */}
                <input type="hidden" name="demo" value="on" />
                <button type="submit" className={button.primary}>
                  Live demo
                </button>
              </form>
            )}
            <ButtonLink href="/request-key" quiet={env.demoKeyId !== null}>
              Get an API key
            </ButtonLink>
          </div>
        </div>
      </div>
      <ConsolePicture />
      {figures && <Record record={figures[0]} alerts={figures[1]} sample={sample} />}
      <Evidence command={formatCurl(`${env.appUrl}/api/alerts?limit=1`, [], key)} />
      <HowItWorks />
      <Prices />
    </SitePage>
  );
}

const STEPS = [
  { title: "Discover", text: "Type a niche, such as “cooking”. See its creators, best score first.", when: "seconds" },
  { title: "Track", text: "Pick the ones you scout, or paste the handles you have.", when: "50 with one request" },
  {
    title: "Measure",
    text: "We read every count once a day and compare it with the creator’s own past.",
    when: "daily, 06:00 UTC",
  },
  {
    title: "Hear of it",
    text: "More than 10% in a day makes an alert, by email at once, with its likely cause.",
    when: "minutes later",
  },
];

function HowItWorks() {
  return (
    <HomeSection
      id="how"
      title="How it works"
      lead="You do the first two. The rest happens before you are at your desk."
    >
      <ol className={styles.steps}>
        {STEPS.map(({ title, text, when }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <small>{when}</small>
          </li>
        ))}
      </ol>
    </HomeSection>
  );
}

function Prices() {
  return (
    <HomeSection
      id="pricing"
      title="Prices"
      lead="One number: requests a day. Alerts, emails and the console are in all three."
    >
      <div className={styles.tiers}>
        {TIERS.map((tier) => {
          const { pricePerMonth, requestsPerDay, newNichesPerDay } = TIER_RULES[tier];
          return (
            <div key={tier}>
              <h3>{TIER_NAMES[tier]}</h3>
              <p className={styles.price}>
                ${pricePerMonth} {pricePerMonth > 0 && <small>a month</small>}
              </p>
              <p>
                <b>{formatCount(requestsPerDay)}</b> requests a day
              </p>
              <p className={styles.faint}>{newNichesPerDay} niches a day that were never searched before</p>
              <ButtonLink href="/request-key" quiet>
                {pricePerMonth === 0 ? "Get a free key" : `Ask for ${TIER_NAMES[tier]}`}
              </ButtonLink>
            </div>
          );
        })}
      </div>
      <p className={styles.faint}>
        Requests count per key, from midnight to midnight UTC. There is no sign-up: the operator answers within 24
        hours, by email.
      </p>
    </HomeSection>
  );
}
