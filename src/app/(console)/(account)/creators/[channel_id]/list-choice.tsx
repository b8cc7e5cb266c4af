"use client";

import { Button, Checkbox, Popover, Stack } from "@mantine/core";
import { useState } from "react";
import { LISTS_PER_KEY } from "@/features/lists/rules";
import type { CreatorList } from "@/features/lists/schema";
import { failureOf } from "../../../_client/failure";
import { toast } from "../../../_client/toast";
import { trpc } from "../../../_client/trpc";
import { NameForm } from "../../_lists/name-form";

interface ListChoiceProps {
  channelId: string;
  /** The text of the button. */
  text: string;
}

/** The key's lists with a mark for those that hold a creator. It is rendered when it is first opened. */
export function ListChoice({ channelId, text }: ListChoiceProps) {
  const [opened, setOpened] = useState(true);
  const { data: all } = trpc.lists.all.useQuery();
  const lists = all?.lists ?? [];
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={280}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button variant="default" size="xs" onClick={() => setOpened(!opened)}>
          <span dir="auto">{text}</span>&nbsp;▾
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Lists">
        <Stack gap={4} mah={280} mb={lists.length > 0 ? "sm" : 0} style={{ overflowY: "auto" }}>
          {lists.map((list) => (
            <Choice key={list.id} list={list} channelId={channelId} />
          ))}
        </Stack>
        {lists.length < LISTS_PER_KEY && <NewChoice key={lists.length} channelId={channelId} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice({ list, channelId }: { list: CreatorList; channelId: string }) {
  const utils = trpc.useUtils();
  const { data: own } = trpc.lists.of.useQuery({ channel_id: channelId });
  const followUp = {
    scope: { id: `lists of ${channelId}` },
    onError: (error: unknown) => void toast(failureOf(error).message, "failed"),
    onSettled: () => Promise.all([utils.lists.invalidate(), utils.creators.tracked.invalidate()]),
  };
  const add = trpc.lists.add.useMutation(followUp);
  const remove = trpc.lists.remove.useMutation(followUp);
  const isIn = own?.list_ids.includes(list.id) ?? false;
  const isPending = add.isPending || remove.isPending;
  const change = isIn ? remove : add;
  return (
    <Checkbox
      size="sm"
      py={4}
      label={<span dir="auto">{list.name}</span>}
      checked={isPending ? add.isPending : isIn}
      onChange={() => !isPending && change.mutate({ id: list.id, channel_ids: [channelId] })}
    />
  );
}

function NewChoice({ channelId }: { channelId: string }) {
  const utils = trpc.useUtils();
  const add = trpc.lists.add.useMutation({
    onSettled: () => Promise.all([utils.lists.invalidate(), utils.creators.tracked.invalidate()]),
  });
  const create = trpc.lists.create.useMutation({
    onSuccess: ({ id }) => add.mutate({ id, channel_ids: [channelId] }),
  });
  return (
    <NameForm
      label="New list"
      action="Create and add"
      isPending={create.isPending || add.isPending}
      error={create.error ?? add.error}
      onName={(name) => create.mutate({ name })}
    />
  );
}
