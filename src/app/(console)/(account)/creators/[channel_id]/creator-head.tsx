import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconExternalLink, IconPlus, IconTrash } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import type { CreatorDetails } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { Avatar } from "../../../_ui/avatar";
import { Dropdown } from "../../../_ui/dropdown";
import { MuteButton } from "../../../_ui/mute";
import { getCountryName, getDisplayName } from "../../../_ui/names";
import styles from "./creator-head.module.css";
import { ShareButton } from "./share";

/** Loaded when first opened. */
const UntrackDialog = dynamic(
  () => import("../../_tracking/untrack-dialog").then(({ UntrackDialog }) => UntrackDialog),
  { ssr: false },
);
const ListChoice = dynamic(() => import("./list-choice").then(({ ListChoice }) => ListChoice), { ssr: false });

/** Who a creator is, and what can be done with it. */
export function CreatorHead({ creator }: { creator: CreatorDetails }) {
  const { channel_id, handle, country, url, status } = creator;
  const name = getDisplayName(creator);
  const { data: all } = trpc.lists.all.useQuery();
  const { data: own } = trpc.lists.of.useQuery({ channel_id });
  const lists = all?.lists.filter(({ id }) => own?.list_ids.includes(id)).map((list) => list.name) ?? [];
  return (
    <header className={styles.head}>
      <Avatar {...creator} large />
      <div className={styles.who}>
        <h1 dir="auto">{name}</h1>
        <p className={styles.facts}>
          <a href={url} target="_blank" rel="noreferrer" title="Open on YouTube">
            {handle ?? channel_id} <IconExternalLink size={14} aria-hidden />
            <span className="visually-hidden">on YouTube (opens a new tab)</span>
          </a>
          {country && <span>{getCountryName(country)}</span>}
          {lists.length > 0 && (
            <span dir="auto">{`${lists.length === 1 ? "List" : "Lists"}: ${lists.join(", ")}`}</span>
          )}
          {status === "unavailable" && <span className={styles.gone}>No longer available on the platform</span>}
        </p>
      </div>
      <div className={styles.actions}>
        <MuteButton channelId={channel_id} name={name} isBrief />
        <UntrackButton channelId={channel_id} name={name} />
        <Dropdown
          title="Lists of this creator"
          text={
            <span className={styles.pick}>
              <IconPlus size={15} aria-hidden /> Add to list
            </span>
          }
        >
          <ListChoice channelId={channel_id} />
        </Dropdown>
        <ShareButton channelId={channel_id} name={name} isMain />
      </div>
    </header>
  );
}

function UntrackButton(creator: { channelId: string; name: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  return (
    <>
      <Button
        ref={button}
        variant="default"
        size="xs"
        px={8}
        title="Untrack"
        aria-label="Untrack"
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconTrash size={16} aria-hidden />
      </Button>
      {wasOpened && (
        <UntrackDialog {...creator} opened={opened} onClose={close} onClosed={() => button.current?.focus()} />
      )}
    </>
  );
}
