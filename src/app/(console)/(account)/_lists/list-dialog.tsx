"use client";

import { Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { formatQuantity } from "@/core/format";
import type { CreatorList } from "@/features/lists/schema";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Confirmation } from "../../_ui/confirmation";
import { NameForm } from "./name-form";

/** The dialog to open, and the element that gets the focus back. */
export type ListDialogRequest = { from: HTMLElement | null } & (
  | { kind: "new" }
  | { kind: "rename" | "delete"; list: CreatorList }
);

interface ListDialogProps {
  /** Null while closed. */
  request: ListDialogRequest | null;
  onClose: () => void;
  /** Called with the new list; a toast by default. */
  onCreated?: (list: CreatorList) => void;
  onDeleted?: () => void;
}

/** Creates, renames or deletes a list. */
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
      {shown?.kind === "new" && <NewList onClose={onClose} onCreated={onCreated} />}
      {shown?.kind === "rename" && <RenameList list={shown.list} onClose={onClose} />}
      {shown?.kind === "delete" && <DeleteList list={shown.list} onClose={onClose} onDeleted={onDeleted} />}
    </Modal>
  );
}

function NewList({ onClose, onCreated }: Pick<ListDialogProps, "onClose" | "onCreated">) {
  const utils = trpc.useUtils();
  const create = trpc.lists.create.useMutation({
    async onSuccess(list) {
      await utils.lists.invalidate();
      onClose();
      if (onCreated) onCreated(list);
      else void toast(`List ${list.name} created. Select creators to add them.`);
    },
  });
  return (
    <Stack gap="xs">
      <Modal.Title fw={650}>New list</Modal.Title>
      <NameForm
        label="Name"
        action="Create list"
        isPending={create.isPending}
        error={create.error}
        onName={(name) => create.mutate({ name })}
        onCancel={onClose}
      />
    </Stack>
  );
}

interface OneListProps extends Pick<ListDialogProps, "onClose" | "onDeleted"> {
  list: CreatorList;
}

function RenameList({ list, onClose }: OneListProps) {
  const utils = trpc.useUtils();
  const rename = trpc.lists.rename.useMutation({
    async onSuccess() {
      await utils.lists.invalidate();
      onClose();
    },
  });
  return (
    <Stack gap="xs">
      <Modal.Title fw={650}>Rename list</Modal.Title>
      <NameForm
        label="Name"
        initial={list.name}
        action="Rename"
        isPending={rename.isPending}
        error={rename.error}
        onName={(name) => rename.mutate({ id: list.id, name })}
        onCancel={onClose}
      />
    </Stack>
  );
}

function DeleteList({ list, onClose, onDeleted }: OneListProps) {
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
      error={remove.error}
      keep="Keep list"
      onKeep={onClose}
      action="Delete list"
      isPending={remove.isPending || remove.isSuccess}
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
