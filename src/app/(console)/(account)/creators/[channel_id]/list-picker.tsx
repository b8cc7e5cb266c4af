"use client";

import dynamic from "next/dynamic";
import { formatQuantity } from "@/core/format";
import { trpc } from "../../../_client/trpc";
import { Dropdown } from "../../../_ui/dropdown";

/** Loaded when first opened. */
const ListChoice = dynamic(() => import("./list-choice").then(({ ListChoice }) => ListChoice), { ssr: false });

/** Says which lists a creator is in, and changes it. */
export function ListPicker({ channelId }: { channelId: string }) {
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
