import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { Metadata } from "next";
import { formatCount } from "@/core/format";
import { TIERS, type Tier } from "@/db/values";
import { TIER_NAMES, TIER_RULES } from "@/features/usage/tiers.rules";
import { getAppContext } from "@/server/context";
import { Contact } from "@/ui/contact";
import { DataTable } from "@/ui/data-table";
import { KeyGuard } from "../../_client/key-guard";
import { requireKey } from "../../_server/page";
import { Card } from "../../_ui/card";
import { PageHeader } from "../../_ui/page-header";
import { EndpointUsage, QuotaCard, UsageHistory } from "./usage-cards";

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage() {
  const { id, tier } = await requireKey();
  return (
    <KeyGuard keyId={id}>
      <PageHeader
        title="Usage"
        lead="API requests count. So do searches and tracking in the console. Browsing does not."
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <QuotaCard />
        <Plans current={tier} />
      </SimpleGrid>
      <Stack mt="md">
        <UsageHistory />
        <EndpointUsage />
      </Stack>
    </KeyGuard>
  );
}

function Plans({ current }: { current: Tier }) {
  return (
    <Card title="Plans">
      <DataTable
        caption="Plans"
        columns={["Plan", "Requests a day", "Price a month"]}
        rows={TIERS.map((tier) => [
          tier === current ? `${TIER_NAMES[tier]} (yours)` : TIER_NAMES[tier],
          formatCount(TIER_RULES[tier].requestsPerDay),
          `$${TIER_RULES[tier].pricePerMonth}`,
        ])}
      />
      <Text size="sm" c="dimmed" mt="sm">
        To change your plan, contact <Contact>{getAppContext().env.operatorContact}</Contact> with your key’s hint from
        the settings. The new limit applies from the next request.
      </Text>
    </Card>
  );
}
