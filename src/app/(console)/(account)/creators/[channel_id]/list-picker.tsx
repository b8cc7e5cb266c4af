"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { formatQuantity } from "@/ui/format";
import { trpc } from "../../../_client/trpc";

/** Loaded when first opened. */
const ListChoice = dynamic(() => import("./list-choice").then(({ ListChoice }) => ListChoice), {
  ssr: false,
  loading: () => <PickerButton text="Lists" />,
});

/** Says which lists a creator is in, and changes it. */
export function ListPicker({ channelId }: { channelId: string }) {
  const [wasOpened, setWasOpened] = useState(false);
  const { data: all } = trpc.lists.all.useQuery();
  const { data: own } = trpc.lists.of.useQuery({ channel_id: channelId });
  const names = all?.lists.filter(({ id }) => own?.list_ids.includes(id)).map(({ name }) => name) ?? [];
  const [first] = names;
  const text =
    first === undefined
      ? "Add to list"
      : names.length === 1
        ? `In ${first}`
        : `In ${formatQuantity(names.length, "list")}`;
  if (wasOpened) return <ListChoice channelId={channelId} text={text} />;
  return <PickerButton text={text} onClick={() => setWasOpened(true)} />;
}

function PickerButton({ text, onClick }: { text: string; onClick?: () => void }) {
  return (
    <Button variant="default" size="xs" aria-haspopup="dialog" onClick={onClick}>
      <span dir="auto">{text}</span>&nbsp;▾
    </Button>
  );
}
