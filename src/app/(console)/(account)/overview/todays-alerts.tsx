"use client";

import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import Link from "next/link";
import type { Alert } from "@/features/alerts/schema";
import { formatCount } from "@/ui/format";
import { LATEST, SHOWN } from "../../_client/todays-alerts";
import { trpc } from "../../_client/trpc";
import { useTodaysAlerts } from "../../_client/use-todays-alerts";
import { SeverityBadge } from "../../_ui/badges";
import { Card } from "../../_ui/card";
import { QueryState } from "../../_ui/query-state";
import { Distance } from "../../_ui/times";

/** The alerts of the UTC day, the latest first. */
export function TodaysAlerts() {
  const alerts = useTodaysAlerts();
  return (
    <Card
      title="Alerts today"
      aside={
        <Anchor component={Link} href="/alerts" size="sm">
          All alerts
        </Anchor>
      }
    >
      <QueryState query={alerts} skeleton={<Skeleton height={92} />}>
        {({ alerts: latest, pagination: { total } }) => (
          <Stack gap="sm">
            {total === 0 && <LatestAlert />}
            {latest.map((alert) => (
              <AlertLine key={alert.channel_id} {...alert} />
            ))}
            {total > SHOWN && (
              <Text c="dimmed" size="sm">
                and {formatCount(total - SHOWN)} more
              </Text>
            )}
          </Stack>
        )}
      </QueryState>
    </Card>
  );
}

/** On a day without alerts, the one before it. */
function LatestAlert() {
  const { data } = trpc.alerts.list.useQuery(LATEST);
  if (!data) return <Skeleton height={72} />;
  const [latest] = data.alerts;
  if (!latest)
    return (
      <Text c="dimmed" size="sm">
        None so far. A tracked creator that grows by more than 10% in one day makes one.
      </Text>
    );
  return (
    <>
      <Text c="dimmed" size="sm">
        None today. The latest, <Distance at={latest.created_at} />:
      </Text>
      <AlertLine {...latest} />
    </>
  );
}

function AlertLine({ severity, message }: Alert) {
  return (
    <div>
      <SeverityBadge severity={severity} />
      <Text size="sm" mt={4}>
        {message}
      </Text>
    </div>
  );
}
