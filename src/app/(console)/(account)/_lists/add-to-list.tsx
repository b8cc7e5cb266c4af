import { useRef, useState } from "react";
import { formatQuantity } from "@/core/format";
import type { CreatorList } from "@/features/lists/service";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Dropdown, DropdownItem } from "../../_ui/dropdown";
import { ListDialog } from "./list-dialog";
import { useListChange } from "./use-list-change";

interface AddToListProps {
  /** Whom to add: the selected creators, once they are tracked. */
  getIds: () => readonly string[] | Promise<readonly string[]>;
  onAdded: () => void;
}

/** Adds the selected creators to a list, also to a new one. */
export function AddToList({ getIds, onAdded }: AddToListProps) {
  const { data } = trpc.lists.all.useQuery();
  const button = useRef<HTMLButtonElement>(null);
  const [isNew, setIsNew] = useState(false);
  const { add } = useListChange();
  const addTo = async ({ id, name }: CreatorList) => {
    const channel_ids = [...(await getIds())];
    if (channel_ids.length === 0) return;
    const answer = await add.mutateAsync({ id, channel_ids }).catch(() => null);
    if (!answer) return;
    onAdded();
    const added = formatQuantity(answer.changed, "creator");
    void toast(answer.changed === 0 ? `${name} had them already` : `Added ${added} to ${name}`);
  };
  return (
    <>
      <Dropdown button={button} text="Add to list" hasArrow title="Lists">
        {data?.lists.map((one) => (
          <DropdownItem key={one.id} onClick={() => addTo(one)}>
            {one.name}
          </DropdownItem>
        ))}
        <DropdownItem onClick={() => setIsNew(true)}>+ New list…</DropdownItem>
      </Dropdown>
      <ListDialog
        request={isNew ? { kind: "new", from: button.current } : null}
        onClose={() => setIsNew(false)}
        onCreated={addTo}
      />
    </>
  );
}
