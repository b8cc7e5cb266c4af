import { Text } from "@mantine/core";
import { formatCount } from "@/core/format";
import { TIERS, type Tier } from "@/db/values";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { Contact } from "@/ui/contact";
import { DataTable } from "@/ui/data-table";
import { Card } from "../../_ui/card";

const COLUMNS = ["Plan", "Requests a day", "USD a month"];

/** The plans, the key's own, and how to change it. */
export function Plans({ current, contact }: { current: Tier; contact: string }) {
  return (
    <Card title="Plans">
      <DataTable
        caption="Plans"
        columns={COLUMNS}
        numeric={COLUMNS.slice(1)}
        rows={TIERS.map((tier) => ({
          name: tier,
          cells: [
            tier === current ? `${tier} (yours)` : tier,
            formatCount(TIER_RULES[tier].requestsPerDay),
            TIER_RULES[tier].pricePerMonth === 0 ? "free" : formatCount(TIER_RULES[tier].pricePerMonth),
          ],
        }))}
      />
      <Text size="sm" c="dimmed" mt="sm">
        To change your plan, contact <Contact>{contact}</Contact> with your key’s hint from the settings. The new limit
        applies from the next request.
      </Text>
    </Card>
  );
}
