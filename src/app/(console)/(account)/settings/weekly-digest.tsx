"use client";

import { Alert, Skeleton, Switch, Text } from "@mantine/core";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { FailureNotice } from "../../_ui/failure-notice";
import { QueryState } from "../../_ui/query-state";

/** Turns the key's weekly digest on and off. */
export function WeeklyDigest({ isAllowed }: { isAllowed: boolean }) {
  return (
    <Card title="Weekly digest" isStatic>
      {isAllowed ? (
        <DigestSwitch />
      ) : (
        <Text size="sm" c="dimmed">
          The weekly digest is off on this service. YouTube’s terms allow it only once YouTube has approved the service
          for it.
        </Text>
      )}
    </Card>
  );
}

function DigestSwitch() {
  const utils = trpc.useUtils();
  const setting = trpc.digests.get.useQuery();
  const address = trpc.addresses.get.useQuery();
  const show = (on: boolean) => utils.digests.get.setData(undefined, { on });
  const set = trpc.digests.set.useMutation({
    // In order, so that the last click wins.
    scope: { id: "weekly digest" },
    onMutate: ({ on }) => show(on),
    onError: (_error, { on }) => show(!on),
    onSuccess: ({ on }) => toast(on ? "Weekly digest is on" : "Weekly digest is off"),
  });
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        On Monday at 07:00 UTC we email the alert address your top movers, the week’s alerts and how earlier ones turned
        out. We skip a week when nothing happened.
      </Text>
      <QueryState query={setting} skeleton={<Skeleton height={24} />}>
        {({ on }) => (
          <Switch
            size="md"
            checked={on}
            onChange={({ currentTarget: { checked } }) => set.mutate({ on: checked })}
            label="Email me the weekly digest"
            styles={{ label: { fontSize: "var(--mantine-font-size-sm)" } }}
          />
        )}
      </QueryState>
      {set.error && <FailureNotice error={set.error} />}
      {setting.data?.on && address.data?.email === null && (
        <Alert variant="default" mt="md" title="No alert address">
          Save an alert address to get the digest.
        </Alert>
      )}
    </>
  );
}
