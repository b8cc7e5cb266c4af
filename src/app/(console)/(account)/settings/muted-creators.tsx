"use client";

import { Anchor, Group, Skeleton, Text } from "@mantine/core";
import Link from "next/link";
import type { MutedCreator } from "@/features/notifications/schema";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { useMute } from "../../_ui/mute";
import { getDisplayName } from "../../_ui/names";
import { QueryState } from "../../_ui/query-state";
import { QuietButton } from "../../_ui/quiet-button";

/** The creators that the key gets no emails about. */
export function MutedCreatorsCard() {
  const muted = trpc.mutes.all.useQuery();
  return (
    <Card title="Muted creators" isStatic>
      <QueryState query={muted} skeleton={<Skeleton height={24} />}>
        {({ creators }) =>
          creators.length === 0 ? (
            <Text size="sm" c="dimmed">
              None. Mute a creator on its page or in an alert to stop its emails.
            </Text>
          ) : (
            creators.map((creator) => <Muted key={creator.channel_id} {...creator} />)
          )
        }
      </QueryState>
    </Card>
  );
}

function Muted(creator: MutedCreator) {
  const name = getDisplayName(creator);
  const { isPending, toggle } = useMute(creator.channel_id, name);
  return (
    <Group justify="space-between" wrap="nowrap" py={4}>
      <Anchor component={Link} href={`/creators/${creator.channel_id}`} prefetch={false} size="sm" dir="auto" truncate>
        {name}
      </Anchor>
      <QuietButton loading={isPending} onClick={toggle}>
        Unmute<span className="visually-hidden"> {name}</span>
      </QuietButton>
    </Group>
  );
}
