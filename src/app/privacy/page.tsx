import type { Metadata } from "next";
import { KEPT_DAYS } from "@/features/keys/requests.rules";
import { appContext } from "@/server/context";
import { Contact } from "@/ui/contact";
import { Fact, Facts } from "@/ui/facts";
import { formatQuantity } from "@/ui/format";
import { Section } from "@/ui/section";
import { Prose, TextPage } from "@/ui/text-page";

export const metadata: Metadata = { title: "Privacy" };
/** What it says comes from the environment, which the build does not know. */
export const dynamic = "force-dynamic";

const FOOTER = {
  text: "This service is not part of YouTube or Google.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/terms", text: "Terms" },
  ],
};

/** What is kept, for how long, who else sees it, and how it is deleted; as this very service is set up. */
export default function PrivacyPage() {
  const { env } = appContext();
  const contact = <Contact>{env.operatorContact}</Contact>;
  return (
    <TextPage
      title="Privacy"
      lead="What this service keeps of you and of the channels it reads, for how long, and how you have it deleted."
      footer={FOOTER}
    >
      <Section id="you" title="You" intro="What is kept of whoever holds an API key.">
        <Facts>
          <Fact name="API key" note="Until the operator deletes it">
            Its label, plan and days of creation and last use; of the key itself only a hash and a short hint
          </Fact>
          <Fact name="Tracked creators" note="Until you stop tracking, or the key is deleted">
            Which channels you follow, and since when
          </Fact>
          <Fact name="Alerts" note={alertsKept(env.alertRetentionDays)}>
            What was found for you, with the counts of both days, and whether its mail arrived
          </Fact>
          <Fact name="Alert address" note="Until you clear it, or the key is deleted">
            One email address; the text of a sent mail for a day. An address that unsubscribed stays on a
            list, so that it is not mailed again
          </Fact>
          <Fact name="Requests" note="Until the key is deleted">
            How many you made on each day
          </Fact>
          <Fact name="Log of your requests" note={`${formatQuantity(KEPT_DAYS, "day")}, purged daily`}>
            Time, method, path, known parameters, result and id of each request to the API; no key and no body
          </Fact>
          <Fact name="Session cookie" note="7 days without use, 30 days at most">
            Encrypted and needed to stay signed in. There is no other cookie, no tracking and no advertising;
            your browser keeps your choice of theme
          </Fact>
          <Fact name="Failed sign-ins" note="15 minutes, then deleted with the next failure of anybody">
            The network address they came from, to slow down guessing
          </Fact>
          <Fact name="Technical log" note="As long as the operator keeps logs">
            Time, path, result and key id of each request; no key and no address
          </Fact>
        </Facts>
      </Section>
      <Section id="channels" title="Channels" intro="What is kept of channels on YouTube.">
        <Facts>
          <Fact name="Counts" note={`${formatQuantity(env.snapshotRetentionDays, "day")}, purged daily`}>
            Public numbers of subscribers, views and videos, one reading a day
          </Fact>
          <Fact name="Name and picture" note="Refreshed when read, gone after 30 days unread at most">
            As they are public on the channel
          </Fact>
          <Fact name="Own figures" note="With the counts they come from">
            Growth, score and level are calculated by us; they are not YouTube’s
          </Fact>
        </Facts>
      </Section>
      <Section id="others" title="Others" intro="Who else handles some of it for us.">
        <Prose>
          <p>
            This service uses YouTube API Services to read public channels. Nobody is asked to sign in with a
            Google account, and nothing private of one is read. See{" "}
            <a href="https://policies.google.com/privacy">Google’s privacy policy</a> and the{" "}
            <a href="https://www.youtube.com/t/terms">YouTube terms of service</a>.
          </p>
          <Processors />
          <p>Nothing is sold, and nothing is handed on for advertising.</p>
        </Prose>
      </Section>
      <Section id="deletion" title="Deletion" intro="How you have it deleted.">
        <Prose>
          <p>
            Ask {contact}: deleting your key deletes your creators, alerts, address and counters with it, at
            once. You can clear your alert address and stop tracking yourself at any time.
          </p>
          <p>If you own a channel and want to know or object to what is kept of it, ask {contact} too.</p>
        </Prose>
      </Section>
    </TextPage>
  );
}

function alertsKept(days: number | null): string {
  return days === null
    ? "Until the key is deleted"
    : `${formatQuantity(days, "day")}, or until the key is deleted`;
}

/** Only those services that this one is set up with. */
function Processors() {
  const { env } = appContext();
  const uses = [
    env.email.kind === "resend" && "Resend delivers mails: it sees the address and the text.",
    env.jobs.kind !== "embedded" && "Inngest runs the daily job: it sees ids of channels and alerts.",
    env.quota.kind === "upstash" && "Upstash counts requests: it sees ids of keys and their counters.",
    env.monitoring.kind === "webhook" &&
      "A chat channel of the operator gets a copy of each alert, with the label of its key.",
    env.database.kind === "hosted" && "A hosted database holds all that is listed above.",
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
