"use client";

import { Group, Modal, Skeleton, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { SHARING_OFF } from "@/features/creators/rules";
import type { Share } from "@/features/creators/shares.service";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { Confirmation } from "../../_ui/confirmation";
import { QueryState } from "../../_ui/query-state";
import { QuietButton } from "../../_ui/quiet-button";
import { Instant } from "../../_ui/times";

/** The key's open links to evidence cards. */
export function SharedLinks() {
  const links = trpc.shares.all.useQuery();
  const [ending, setEnding] = useState<Share | null>(null);
  return (
    <Card title="Shared links" isStatic>
      <QueryState query={links} skeleton={<Skeleton height={48} />}>
        {({ is_allowed, shares }) =>
          shares.length === 0 ? (
            <Text size="sm" c="dimmed">
              {is_allowed ? "No open links. Create one on a creator’s page or in the menu of a list." : SHARING_OFF}
            </Text>
          ) : (
            <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: "none" }}>
              {shares.map((share) => (
                <Group component="li" key={share.id} justify="space-between" gap="xs">
                  <div style={{ minWidth: 0, flex: "1 1 12rem" }}>
                    <Text fw={600}>{share.name}</Text>
                    <Text size="sm" c="dimmed">
                      Made <Instant at={share.created_at} />, expires <Instant at={share.expires_at} />
                    </Text>
                  </div>
                  <QuietButton aria-label={`Revoke the link to ${share.name}`} onClick={() => setEnding(share)}>
                    Revoke
                  </QuietButton>
                </Group>
              ))}
            </Stack>
          )
        }
      </QueryState>
      {ending && <RevokeDialog share={ending} onClose={() => setEnding(null)} />}
    </Card>
  );
}

function RevokeDialog({ share: { id, name }, onClose }: { share: Share; onClose: () => void }) {
  const utils = trpc.useUtils();
  const revoke = trpc.shares.revoke.useMutation({
    async onSuccess() {
      await utils.shares.all.invalidate();
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} centered withCloseButton={false}>
      <Confirmation
        title={`Revoke the link to ${name}?`}
        mutation={revoke}
        keep="Keep link"
        onKeep={onClose}
        action="Revoke link"
        onConfirm={() => revoke.mutate({ id })}
      >
        <Text size="sm">It stops working right away for everyone who has it.</Text>
      </Confirmation>
    </Modal>
  );
}
