"use client";

import { Anchor, Group, SimpleGrid, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { Day } from "@/core/time";
import type { CreatorDetails } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { Avatar } from "../../../_ui/avatar";
import { Card } from "../../../_ui/card";
import { MuteButton } from "../../../_ui/mute-button";
import { getCountryName, getDisplayName } from "../../../_ui/names";
import { PageHeader } from "../../../_ui/page-header";
import { ScoreExplanation } from "../../../_ui/score-explanation";
import { CreatorAlerts } from "./creator-alerts";
import { GrowthTable } from "./growth-table";
import { LevelCard } from "./level-card";
import { ListPicker } from "./list-picker";
import { NoteCard } from "./note";
import { PlatformCard } from "./platform-card";
import { ShareButton } from "./share";
import { Snapshots } from "./snapshots";
import { UntrackButton } from "./untrack-button";
import { Videos } from "./videos";

/** The page of one tracked creator. */
export function CreatorView({ initial, today }: { initial: CreatorDetails; today: Day }) {
  const { channel_id } = initial;
  const { data: creator } = trpc.creators.get.useQuery({ channel_id }, { initialData: initial });
  const name = getDisplayName(creator);
  return (
    <>
      <PageHeader title={name} picture={<Avatar {...creator} large />} lead={<CreatorLinks {...creator} />}>
        <Group gap="xs">
          <ListPicker channelId={channel_id} />
          <MuteButton channelId={channel_id} name={name} />
          <ShareButton channelId={channel_id} name={name} />
          <UntrackButton channelId={channel_id} name={name} />
        </Group>
      </PageHeader>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md">
        <PlatformCard {...creator} />
        <LevelCard {...creator} />
      </SimpleGrid>
      <Snapshots {...creator} today={today} />
      <Videos channelId={channel_id} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} mt="md" style={{ alignItems: "start" }}>
        <div style={{ display: "grid", gap: "var(--mantine-spacing-md)", minWidth: 0 }}>
          <GrowthTable {...creator} />
          <CreatorAlerts channelId={channel_id} />
          <NoteCard channelId={channel_id} />
        </div>
        <Card
          title={creator.score === null ? "Why there is no score" : `Why the score is ${creator.score}`}
          aside="Calculated by us"
        >
          <ScoreExplanation {...creator} />
        </Card>
      </SimpleGrid>
    </>
  );
}

function CreatorLinks({ channel_id, handle, country, url, status }: CreatorDetails) {
  return (
    <Group component="span" gap="0 0.75rem">
      <span>{handle ?? channel_id}</span>
      {country && <span>{getCountryName(country)}</span>}
      <Anchor href={url} target="_blank" rel="noreferrer" inherit>
        Open on YouTube <IconExternalLink size={15} style={{ verticalAlign: "-2px" }} aria-hidden />
        <span className="visually-hidden">(in a new tab)</span>
      </Anchor>
      {status === "unavailable" && (
        <Text span c="var(--mantine-color-error)" inherit>
          No longer available on the platform
        </Text>
      )}
    </Group>
  );
}
