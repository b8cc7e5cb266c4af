import type { Metadata } from "next";
import { formatQuantity } from "@/core/format";
import { KEPT_DAYS } from "@/features/usage/request-log.rules";
import { getAppContext } from "@/server/context";
import { Contact } from "@/ui/contact";
import { Fact, Facts } from "@/ui/facts";
import { Section } from "@/ui/section";
import { Prose, TextPage } from "@/ui/text-page";
import { getSiteLinks } from "../site-links";

export const metadata: Metadata = { title: "Privacy" };
/** Depends on the environment, which the build does not know. */
export const dynamic = "force-dynamic";

const FOOTER = {
  text: "This service is not part of YouTube or Google.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/terms", text: "Terms" },
  ],
};

/** The privacy page, according to this service's configuration. */
export default async function PrivacyPage() {
  const { env } = getAppContext();
  const contact = <Contact>{env.operatorContact}</Contact>;
  return (
    <TextPage
      links={await getSiteLinks()}
      title="Privacy"
      lead="What this service keeps about you and the channels it reads, for how long, and how to delete it."
      footer={FOOTER}
    >
      <Section id="you" title="You" intro="What we keep about the holder of an API key.">
        <Facts>
          <Fact name="API key" note="Until the operator deletes it">
            Its label, tier, creation date and last use. Of the key itself, only a hash and a short hint
          </Fact>
          <Fact name="Tracked creators" note="Until you stop tracking, or the key is deleted">
            Which channels you track, and since when
          </Fact>
          <Fact name="Alerts" note={formatAlertRetention(env.alertRetentionDays)}>
            Which creators grew, both counts, whether the email arrived, when you read them, and which
            creators you muted
          </Fact>
          <Fact name="Alert address" note="Until you clear it, or the key is deleted">
            Your email address, and the text of each sent email for one day. We keep unsubscribed addresses so
            we do not email them again
          </Fact>
          <Fact name="Requests" note="Until the key is deleted">
            The number of requests per UTC day
          </Fact>
          <Fact
            name="Niches you asked for"
            note="7 days; queued ones until they are searched, 30 days at most"
          >
            The niche and the day, to keep popular niches up to date
          </Fact>
          <Fact name="Log of your requests" note={`${formatQuantity(KEPT_DAYS, "day")}, purged daily`}>
            Time, method, path, known parameters, status and ID of each API request, but not the key or body
          </Fact>
          <Fact name="Session cookie" note="7 days without use, 30 days at most">
            Encrypted, and needed to stay signed in. We use no other cookies, tracking or advertising. Your
            browser stores your theme
          </Fact>
          <Fact name="Channel pictures" note="Not kept">
            The console loads them from YouTube’s image servers, which see your IP address
          </Fact>
          <Fact name="Failed sign-ins" note="15 minutes, then deleted with the next failed sign-in">
            The IP address they came from, to slow down guessing
          </Fact>
          <Fact name="Requests for a key" note="90 days, or until the key is deleted">
            Name, email address, plan and purpose. The IP address is counted until the next day’s purge
          </Fact>
          <Fact name="Shared links" note="Until they expire, 7 or 30 days, or are revoked">
            The creator and a hash of the link. Anyone with the link sees the creator’s page
          </Fact>
          <Fact name="Technical log" note="As long as the operator keeps logs">
            Time, path, status and key ID of each request, but no keys or addresses
          </Fact>
        </Facts>
      </Section>
      <Section id="channels" title="Channels" intro="What we keep about YouTube channels.">
        <Facts>
          <Fact name="Counts" note={`${formatQuantity(env.snapshotRetentionDays, "day")}, purged daily`}>
            Public subscriber, view and video counts, one snapshot a day
          </Fact>
          <Fact
            name="Name and picture"
            note="Refreshed with each snapshot, deleted after 30 days without one"
          >
            As public on the channel
          </Fact>
          <Fact name="Own figures" note="With the counts they come from">
            Growth, score and level are our own figures, not YouTube’s
          </Fact>
        </Facts>
      </Section>
      <Section id="others" title="Others" intro="Who else processes this data.">
        <Prose>
          <p>
            This service uses YouTube API Services to read public channels. It does not ask for a Google
            account and reads nothing private. See{" "}
            <a href="https://policies.google.com/privacy">Google’s privacy policy</a> and the{" "}
            <a href="https://www.youtube.com/t/terms">YouTube terms of service</a>.
          </p>
          <Processors />
          <p>We do not sell your data or share it for advertising.</p>
        </Prose>
      </Section>
      <Section id="deletion" title="Deletion" intro="How to delete your data.">
        <Prose>
          <p>
            To delete your key, contact {contact}. This deletes its creators, alerts, address and counters at
            once. You can clear your alert address and stop tracking yourself at any time.
          </p>
          <p>If you own a channel and want to see what we keep about it, or object, contact {contact}.</p>
        </Prose>
      </Section>
    </TextPage>
  );
}

function formatAlertRetention(days: number | null): string {
  return days === null
    ? "Until the key is deleted"
    : `${formatQuantity(days, "day")}, or until the key is deleted`;
}

/** The external services in use. */
function Processors() {
  const { env } = getAppContext();
  const uses = [
    env.email.kind === "resend" && "Resend delivers emails. It sees addresses and contents.",
    env.jobs.kind !== "embedded" && "Inngest runs the daily job. It sees channel and alert IDs.",
    env.quota.kind === "upstash" && "Upstash counts requests. It sees key IDs and their counters.",
    env.monitoring.kind === "webhook" &&
      "The operator’s chat channel gets a copy of each alert with the label of its key.",
    env.database.kind === "hosted" && "A hosted database stores everything listed above.",
  ].filter((use) => use !== false);
  if (uses.length === 0) return <p>Everything else stays on the operator’s own machine.</p>;
  return (
    <ul>
      {uses.map((use) => (
        <li key={use}>{use}</li>
      ))}
    </ul>
  );
}
