"use client";

import { Anchor, Button, Group, SimpleGrid, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconExternalLink } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { formatQuantity } from "@/core/format";
import type { Day } from "@/core/time";
import type { CreatorDetails } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { Avatar } from "../../../_ui/avatar";
import { Card } from "../../../_ui/card";
import { Dropdown } from "../../../_ui/dropdown";
import { MuteButton } from "../../../_ui/mute";
import { getCountryName, getDisplayName } from "../../../_ui/names";
import { PageHeader } from "../../../_ui/page-header";
import { ScoreExplanation } from "../../../_ui/score-explanation";
import { CreatorAlerts } from "./creator-alerts";
import { GrowthTable } from "./growth-table";
import { LevelCard } from "./level-card";
import { NoteCard } from "./note";
import { PlatformCard } from "./platform-card";
import { ShareButton } from "./share";
import { Snapshots } from "./snapshots";
import { Videos } from "./videos";

/** Loaded when first opened. */
const UntrackDialog = dynamic(
  () => import("../../_tracking/untrack-dialog").then(({ UntrackDialog }) => UntrackDialog),
  { ssr: false },
);

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

/** Opens the untrack dialog. */
function UntrackButton(creator: { channelId: string; name: string }) {
  const router = useRouter();
  const button = useRef<HTMLButtonElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  return (
    <>
      <Button ref={button} variant="default" size="xs" aria-haspopup="dialog" onClick={open}>
        Stop tracking
      </Button>
      {wasOpened && (
        <UntrackDialog
          {...creator}
          opened={opened}
          onClose={close}
          onUntracked={() => router.push("/overview")}
          onClosed={() => button.current?.focus()}
        />
      )}
    </>
  );
}

/** Loaded when first opened. */
const ListChoice = dynamic(() => import("./list-choice").then(({ ListChoice }) => ListChoice), { ssr: false });

/** Says which lists a creator is in, and changes it. */
function ListPicker({ channelId }: { channelId: string }) {
  const { data: all } = trpc.lists.all.useQuery();
  const { data: own } = trpc.lists.of.useQuery({ channel_id: channelId });
  const names = all?.lists.filter(({ id }) => own?.list_ids.includes(id)).map(({ name }) => name) ?? [];
  return (
    <Dropdown title="Lists of this creator" text={`${formatPickerText(names)} ▾`}>
      <ListChoice channelId={channelId} />
    </Dropdown>
  );
}

function formatPickerText(names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return "Add to list";
  return names.length === 1 ? `In ${first}` : `In ${formatQuantity(names.length, "list")}`;
}
