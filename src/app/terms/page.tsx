import type { Metadata } from "next";
import { formatCount } from "@/core/format";
import { TIERS } from "@/db/values";
import { formatPrice, TIER_NAMES, TIER_RULES } from "@/features/usage/tiers.rules";
import { getAppContext } from "@/server/context";
import { fillMarkdown } from "@/server/docs/guides";
import { TextPage } from "../text-page";

export const metadata: Metadata = { title: "Terms" };

export default async function TermsPage() {
  const plans = TIERS.map(
    (tier) =>
      `- ${TIER_NAMES[tier]}: ${formatCount(TIER_RULES[tier].requestsPerDay)} requests a day, ${formatPrice(tier)}`,
  );
  const text = await fillMarkdown("terms", {
    contact: getAppContext().env.operatorContact,
    plans: plans.join("\n"),
  });
  return <TextPage>{text}</TextPage>;
}
