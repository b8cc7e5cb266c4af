"use client";

import { Button, Code, Group, Modal, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { formatCount } from "@/core/format";
import { TIER_NAMES, TIER_RULES } from "@/features/usage/tiers.rules";
import { Contact } from "@/ui/contact";
import { Fact } from "@/ui/facts";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { Confirmation } from "../../_ui/confirmation";
import { FailureNotice, QueryState } from "../../_ui/query-state";
import { Distance, Instant } from "../../_ui/times";
import { leaveConsole } from "../_shell/navigation";

const TIMES = {
  Created: "created_at",
  Rotated: "rotated_at",
  "Old key works until": "previous_key_works_until",
} as const;

/** The signed-in key and how to replace it. */
export function KeyCard({ contact }: { contact: string }) {
  const key = trpc.keys.mine.useQuery();
  return (
    <Card title="API key">
      <QueryState query={key} skeleton={<Skeleton height={256} />}>
        {({ label, hint, tier, last_used_at, ...key }) => (
          <dl>
            <Fact name="Label">{label}</Fact>
            <Fact name="Key">
              <Code>{hint}</Code>
            </Fact>
            <Fact name="Plan">
              {TIER_NAMES[tier]}, {formatCount(TIER_RULES[tier].requestsPerDay)} requests a day
            </Fact>
            {Object.entries(TIMES).map(([name, field]) => {
              const at = key[field];
              return (
                at && (
                  <Fact key={name} name={name}>
                    <Instant at={at} />
                  </Fact>
                )
              );
            })}
            <Fact name="Last used">{last_used_at ? <Distance at={last_used_at} /> : "Never"}</Fact>
          </dl>
        )}
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

/** What the owner of a key does when it may have leaked: ask for a new key, and end all sessions. */
function KeyActions() {
  const [isAsking, { open, close }] = useDisclosure(false);
  const rotation = trpc.keys.requestRotation.useMutation({
    onSuccess: () => toast("Rotation requested. The operator will send you the new key."),
  });
  const ending = trpc.sessions.endAll.useMutation({ onSuccess: leaveConsole });
  return (
    <>
      <Group mt="md" gap="xs">
        <Button variant="default" loading={rotation.isPending} onClick={() => rotation.mutate()}>
          Request a rotation
        </Button>
        <Button variant="default" onClick={open}>
          End all sessions
        </Button>
      </Group>
      {rotation.error && <FailureNotice error={rotation.error} />}
      <Modal opened={isAsking} onClose={close} centered withCloseButton={false}>
        <Confirmation
          title="End all sessions?"
          mutation={ending}
          keep="Stay signed in"
          onKeep={close}
          action="End all sessions"
          onConfirm={() => ending.mutate()}
        >
          <Text size="sm">Every browser that is signed in with this key is signed out, this one too.</Text>
          <Text size="sm">The key itself keeps working. If it may have leaked, request a rotation as well.</Text>
        </Confirmation>
      </Modal>
    </>
  );
}
