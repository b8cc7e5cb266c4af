"use client";

import { Code, Skeleton, Text } from "@mantine/core";
import { formatCount } from "@/core/format";
import type { KeyFacts } from "@/features/keys/service";
import { TIER_NAMES, TIER_RULES } from "@/features/usage/tiers.rules";
import { Contact } from "@/ui/contact";
import { Fact } from "@/ui/facts";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { QueryState } from "../../_ui/query-state";
import { Distance, Instant } from "../../_ui/times";
import { KeyActions } from "./key-actions";

/** The signed-in key and how to replace it. */
export function KeyCard({ contact }: { contact: string }) {
  const key = trpc.keys.mine.useQuery();
  return (
    <Card title="API key">
      <QueryState query={key} skeleton={<Skeleton height={256} />}>
        {(facts) => <KeyList {...facts} />}
      </QueryState>
      <KeyActions />
      <Text size="sm" c="dimmed" mt="md">
        To rotate or revoke this key, contact <Contact>{contact}</Contact>. Rotating gives you a new key. The old key
        stops right away, or after an overlap that you agree on; its sessions end when it does. Your creators, alerts,
        settings and today’s usage stay.
      </Text>
    </Card>
  );
}

function KeyList({ label, hint, tier, last_used_at, ...key }: KeyFacts) {
  const times = {
    Created: key.created_at,
    Rotated: key.rotated_at,
    "Old key works until": key.previous_key_works_until,
  };
  return (
    <dl>
      <Fact name="Label">{label}</Fact>
      <Fact name="Key">
        <Code>{hint}</Code>
      </Fact>
      <Fact name="Plan">
        {TIER_NAMES[tier]}, {formatCount(TIER_RULES[tier].requestsPerDay)} requests a day
      </Fact>
      {Object.entries(times).map(
        ([name, at]) =>
          at && (
            <Fact key={name} name={name}>
              <Instant at={at} />
            </Fact>
          ),
      )}
      <Fact name="Last used">{last_used_at ? <Distance at={last_used_at} /> : "Never"}</Fact>
    </dl>
  );
}
