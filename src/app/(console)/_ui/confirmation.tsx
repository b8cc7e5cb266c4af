import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { FailureNotice } from "./query-state";

interface ConfirmationProps {
  title: string;
  children: ReactNode;
  mutation: { error: unknown; isPending: boolean; isSuccess: boolean };
  /** The text of the button that changes nothing; it has the focus. */
  keep: string;
  onKeep: () => void;
  action: string;
  onConfirm: () => void;
}

/** What a dialog says before something is deleted. */
export function Confirmation({ title, children, mutation, keep, onKeep, action, onConfirm }: ConfirmationProps) {
  const { error, isPending, isSuccess } = mutation;
  return (
    <Stack gap="md">
      <Modal.Title fw={650}>{title}</Modal.Title>
      {children}
      {Boolean(error) && <FailureNotice error={error} />}
      <Group justify="end" gap="xs">
        <Button variant="default" onClick={onKeep} data-autofocus>
          {keep}
        </Button>
        <Button color="red.9" loading={isPending || isSuccess} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Stack>
  );
}
