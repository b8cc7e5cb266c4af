import { SimpleGrid } from "@mantine/core";
import type { Metadata } from "next";
import { getAppContext } from "@/server/context";
import { KeyGuard } from "../../_client/key-guard";
import { requireKey } from "../../_server/session";
import { PageHeader } from "../../_ui/page-header";
import { Plans } from "./plans";
import { QuotaCard } from "./quota-card";
import { UsageHistory } from "./usage-history";

export const metadata: Metadata = { title: "Usage" };

export default async function UsagePage() {
  const { id, tier } = await requireKey();
  return (
    <KeyGuard keyId={id}>
      <PageHeader
        title="Usage"
        lead="API requests count. So do searches and tracking in the console. Browsing does not."
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} mb="md">
        <QuotaCard />
        <Plans current={tier} contact={getAppContext().env.operatorContact} />
      </SimpleGrid>
      <UsageHistory />
    </KeyGuard>
  );
}
