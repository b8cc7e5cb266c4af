import type { Metadata } from "next";
import { formatCount } from "@/core/format";
import { TIERS } from "@/db/values";
import { TIER_LIMITS, TIER_PRICES } from "@/features/usage/tiers.rules";
import { getAppContext } from "@/server/context";
import { Contact } from "@/ui/contact";
import { Section } from "@/ui/section";
import { Prose, TextPage } from "@/ui/text-page";
import { getSiteLinks } from "../site-links";

export const metadata: Metadata = { title: "Terms" };
/** Depends on the environment, which the build does not know. */
export const dynamic = "force-dynamic";

const FOOTER = {
  text: "This service is not part of YouTube or Google.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/privacy", text: "Privacy" },
  ],
};

/** Terms of use. */
export default async function TermsPage() {
  const contact = <Contact>{getAppContext().env.operatorContact}</Contact>;
  return (
    <TextPage
      links={await getSiteLinks()}
      title="Terms"
      lead="What you may do with this service and what you can expect from it."
      footer={FOOTER}
    >
      <Section id="key" title="Your key" intro="How to get one and keep it safe.">
        <Prose>
          <p>
            To get a key, contact {contact}. Keep it secret: it gives full access to your data here. If it
            leaks, ask the operator to rotate it. The old key stops working at once.
          </p>
          <p>The operator may revoke a key that breaks these terms or harms the service.</p>
        </Prose>
      </Section>
      <Section id="plans" title="Plans" intro="Counted per key and UTC day.">
        <Prose>
          <ul>
            {TIERS.map((tier) => (
              <li key={tier}>
                {tier}: {formatCount(TIER_LIMITS[tier])} requests a day,{" "}
                {TIER_PRICES[tier] === 0 ? "free" : `${formatCount(TIER_PRICES[tier])} USD a month`}
              </li>
            ))}
          </ul>
          <p>
            Each request counts 1. Over the limit, we refuse requests until midnight UTC. They do not count.
          </p>
        </Prose>
      </Section>
      <Section id="data" title="Data" intro="Where it comes from and how reliable it is.">
        <Prose>
          <p>
            We read counts from YouTube with YouTube API Services, once a day at 06:00 UTC. By using this
            service you agree to the <a href="https://www.youtube.com/t/terms">YouTube terms of service</a>.
            See also <a href="https://policies.google.com/privacy">Google’s privacy policy</a>.
          </p>
          <p>
            YouTube rounds larger subscriber counts and sometimes corrects counts. Days can be missing.
            Growth, score, level and alerts are our own estimates. They do not promise that a channel keeps
            growing.
          </p>
          <p>Do not use this data to identify or harass people, or to copy YouTube.</p>
        </Prose>
      </Section>
      <Section id="service" title="The service" intro="What to expect.">
        <Prose>
          <p>
            We offer the service as is and do not promise availability. See its current{" "}
            <a href="/api/health">health</a> and the <a href="/accuracy">accuracy</a> of past alerts.
          </p>
          <p>
            To learn what we keep about you and how to delete it, see <a href="/privacy">privacy</a>.
          </p>
        </Prose>
      </Section>
    </TextPage>
  );
}
