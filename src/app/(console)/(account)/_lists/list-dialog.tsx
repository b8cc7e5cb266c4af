import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatQuantity } from "@/core/format";
import type { CreatorList } from "@/features/lists/service";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Confirmation } from "../../_ui/confirmation";
import { QuietButton } from "../../_ui/quiet-button";
import { ShareForm } from "../../_ui/share-form";
import { NameForm } from "./name-form";

/** The dialog to open, and the element that gets the focus back. */
export type ListDialogRequest = { from: HTMLElement | null } & (
  | { kind: "new" }
  | { kind: "rename" | "delete" | "share"; list: CreatorList }
);

interface ListDialogProps {
  request: ListDialogRequest | null;
  onClose: () => void;
  /** Called with the new list; a toast by default. */
  onCreated?: (list: CreatorList) => void;
  onDeleted?: () => void;
}

/** Creates, shares, renames or deletes a list. */
export function ListDialog({ request, onClose, onCreated, onDeleted }: ListDialogProps) {
  // Keep the content during the closing animation.
  const [shown, setShown] = useState(request);
  if (request !== null && request !== shown) setShown(request);
  return (
    <Modal
      opened={request !== null}
      onClose={onClose}
      returnFocus={false}
      onExitTransitionEnd={() => shown?.from?.focus()}
      centered
      withCloseButton={false}
    >
      {shown?.kind === "new" && <NameList onClose={onClose} onCreated={onCreated} />}
      {shown?.kind === "rename" && <NameList list={shown.list} onClose={onClose} />}
      {shown?.kind === "share" && (
        <Stack gap="sm">
          <Modal.Title fw={650}>Share the list {shown.list.name}</Modal.Title>
          <ShareForm
            text="Anyone with the link sees the list's name and its creators with their growth, score and level, without a key. Notes and alerts stay yours. It ends when you revoke it or delete the list."
            subject={{ list_id: shown.list.id }}
          />
          <QuietButton ml="auto" onClick={onClose}>
            Close
          </QuietButton>
        </Stack>
      )}
      {shown?.kind === "delete" && <DeleteList list={shown.list} onClose={onClose} onDeleted={onDeleted} />}
    </Modal>
  );
}

type NameListProps = Pick<ListDialogProps, "onClose" | "onCreated"> & { list?: CreatorList };

function NameList({ list, onClose, onCreated }: NameListProps) {
  const utils = trpc.useUtils();
  const close = async () => {
    await utils.lists.invalidate();
    onClose();
  };
  const rename = trpc.lists.rename.useMutation({ onSuccess: close });
  const create = trpc.lists.create.useMutation({
    async onSuccess(created) {
      await close();
      if (onCreated) onCreated(created);
      else void toast(`List ${created.name} created. Select creators to add them.`);
    },
  });
  const { isPending, error } = list ? rename : create;
  return (
    <Stack gap="xs">
      <Modal.Title fw={650}>{list ? "Rename list" : "New list"}</Modal.Title>
      <NameForm
        label="Name"
        initial={list?.name}
        action={list ? "Rename" : "Create list"}
        isPending={isPending}
        error={error}
        onName={(name) => (list ? rename.mutate({ id: list.id, name }) : create.mutate({ name }))}
        onCancel={onClose}
      />
    </Stack>
  );
}

type DeleteListProps = Pick<ListDialogProps, "onClose" | "onDeleted"> & { list: CreatorList };

function DeleteList({ list, onClose, onDeleted }: DeleteListProps) {
  const utils = trpc.useUtils();
  const remove = trpc.lists.delete.useMutation({
    onSuccess({ message }) {
      onClose();
      onDeleted?.();
      void toast(message);
      return utils.lists.invalidate();
    },
  });
  return (
    <Confirmation
      title={`Delete the list ${list.name}?`}
      mutation={remove}
      keep="Keep list"
      onKeep={onClose}
      action="Delete list"
      onConfirm={() => remove.mutate({ id: list.id })}
    >
      <Text size="sm">{formatDeleteEffect(list.creators)}</Text>
    </Confirmation>
  );
}

function formatDeleteEffect(creators: number): string {
  if (creators === 0) return "It has no creators.";
  return creators === 1 ? "Its creator stays tracked." : `Its ${formatQuantity(creators, "creator")} stay tracked.`;
}
