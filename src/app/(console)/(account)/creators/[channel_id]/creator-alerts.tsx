"use client";

import { Anchor, Button, Skeleton, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatCount, formatGrowth } from "@/core/format";
import type { Alert } from "@/features/alerts/schema";
import { trpc } from "../../../_client/trpc";
import { SeverityBadge } from "../../../_ui/badges";
import { Card } from "../../../_ui/card";
import { QueryState } from "../../../_ui/query-state";
import { Distance } from "../../../_ui/times";
import { buildAlertsQuery } from "./_chart/view-state";

const SHOWN = 3;

/** The key's alerts for a creator, newest first. */
export function CreatorAlerts({ channelId }: { channelId: string }) {
  const alerts = trpc.alerts.list.useQuery(buildAlertsQuery(channelId));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card title="Alerts">
      <QueryState query={alerts} skeleton={<Skeleton height={92} />}>
        {({ alerts: all }) => (
          <Stack gap="md" align="start">
            {all.length === 0 && (
              <Text c="dimmed" size="sm">
                No alerts yet. You get one when this creator grows more than 10% in a day.
              </Text>
            )}
            {(isOpen ? all : all.slice(0, SHOWN)).map((alert) => (
              <AlertLine key={alert.created_at} {...alert} />
            ))}
            {all.length > SHOWN && (
              <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
                {isOpen ? "Show fewer" : `Show all ${formatCount(all.length)}`}
              </Button>
            )}
          </Stack>
        )}
      </QueryState>
    </Card>
  );
}

function AlertLine({ severity, message, created_at, reason, growth_low, growth_high, cause }: Alert) {
  return (
    <div>
      <SeverityBadge severity={severity} />{" "}
      <Text span size="sm" c="dimmed">
        <Distance at={created_at} />
      </Text>
      <Text size="sm" mt={4}>
        {message}
      </Text>
      <Text size="sm" dir="auto">
        {cause.text}{" "}
        {cause.videos.length === 1 && (
          <Anchor href={cause.videos[0]?.url} inherit target="_blank" rel="noreferrer">
            Watch<span className="visually-hidden"> the video (opens a new tab)</span>
          </Anchor>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        {growth_low !== growth_high &&
          `True growth is between ${formatGrowth(growth_low)} and ${formatGrowth(growth_high)}: the platform rounds counts. `}
        {reason}
      </Text>
    </div>
  );
}
