import type { Metadata } from "next";
import { TIER_LIMITS, TIER_PRICES, TIERS } from "@/core/config/tiers";
import { appContext } from "@/server/context";
import { Contact } from "@/ui/contact";
import { formatCount } from "@/ui/format";
import { Section } from "@/ui/section";
import { Prose, TextPage } from "@/ui/text-page";

export const metadata: Metadata = { title: "Terms" };
/** What it says comes from the environment, which the build does not know. */
export const dynamic = "force-dynamic";

const FOOTER = {
  text: "This service is not part of YouTube or Google.",
  links: [
    { href: "/", text: "Home page" },
    { href: "/privacy", text: "Privacy" },
  ],
};

/** What a holder of a key may do and expect. */
export default function TermsPage() {
  const contact = <Contact>{appContext().env.operatorContact}</Contact>;
  return (
    <TextPage
      title="Terms"
      lead="What you may do with this service, and what you may expect of it."
      footer={FOOTER}
    >
      <Section id="key" title="Your key" intro="It stands for you.">
        <Prose>
          <p>
            Keys are issued by the operator: ask {contact}. Keep yours secret: whoever has it is you, here. If
            it has leaked, ask for a rotation, which ends the old key at once.
          </p>
          <p>The operator may revoke a key that is used against these terms or harms the service.</p>
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
            Each request counts 1. Beyond the limit requests are refused until midnight UTC and cost nothing.
          </p>
        </Prose>
      </Section>
      <Section id="data" title="Data" intro="Where it comes from and what it is worth.">
        <Prose>
          <p>
            Counts are read from YouTube by YouTube API Services, once a day at 06:00 UTC. By using this
            service you agree to the <a href="https://www.youtube.com/t/terms">YouTube terms of service</a>.
            See also <a href="https://policies.google.com/privacy">Google’s privacy policy</a>.
          </p>
          <p>
            YouTube rounds larger subscriber counts, corrects counts, and may not answer: days may be missing.
            Growth, score, level and alerts are calculated by us. They are estimates and no promise that a
            channel will go on as it did.
          </p>
          <p>Do not use what you read here to identify or harass anybody, or to rebuild YouTube itself.</p>
        </Prose>
      </Section>
      <Section id="service" title="The service" intro="What to expect.">
        <Prose>
          <p>
            It is offered as it is, without a promise of being always there. <a href="/api/health">Health</a>{" "}
            says how it does now, and <a href="/accuracy">Accuracy</a> how its alerts have turned out.
          </p>
          <p>
            What is kept of you, and how it is deleted, is on the page on <a href="/privacy">privacy</a>.
          </p>
        </Prose>
      </Section>
    </TextPage>
  );
}
