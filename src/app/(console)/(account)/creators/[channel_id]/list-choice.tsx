import { Box, Checkbox } from "@mantine/core";
import { LISTS_PER_KEY } from "@/features/lists/rules";
import type { CreatorList } from "@/features/lists/service";
import { trpc } from "../../../_client/trpc";
import { NameForm } from "../../_lists/name-form";
import { useListChange } from "../../_lists/use-list-change";

/** The key's lists with a mark for those that hold a creator, and a form for a new one. */
export function ListChoice({ channelId }: { channelId: string }) {
  const { data: all } = trpc.lists.all.useQuery();
  const lists = all?.lists ?? [];
  return (
    <Box w="16rem" maw="100%" mih="5.5rem" p="0.375rem" aria-busy={!all}>
      {lists.map((list) => (
        <Choice key={list.id} list={list} channelId={channelId} />
      ))}
      {all && lists.length < LISTS_PER_KEY && <NewChoice key={lists.length} channelId={channelId} />}
    </Box>
  );
}

function Choice({ list, channelId }: { list: CreatorList; channelId: string }) {
  const { data: own } = trpc.lists.of.useQuery({ channel_id: channelId });
  const { add, remove } = useListChange();
  const isIn = own?.list_ids.includes(list.id) ?? false;
  const isPending = add.isPending || remove.isPending;
  const change = isIn ? remove : add;
  return (
    <Checkbox
      size="sm"
      py={6}
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
