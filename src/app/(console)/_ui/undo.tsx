"use client";

import { Button, Text } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import { toFailure } from "../_client/failure";

interface UndoProps {
  text: string;
  mutation: { error: unknown; isPending: boolean; isSuccess: boolean };
  /** Shown once it is undone. */
  undone: ReactNode;
  label?: string;
  ref?: Ref<HTMLButtonElement>;
  onUndo: () => void;
}

/** The content of a toast that offers to undo what it says. */
export function Undo({ text, mutation, undone, label = "Undo", ref, onUndo }: UndoProps) {
  if (mutation.isSuccess) return undone;
  return (
    <>
      <Text size="sm">{mutation.error ? toFailure(mutation.error).message : text}</Text>
      <Button ref={ref} size="compact-sm" variant="default" mt={6} loading={mutation.isPending} onClick={onUndo}>
        {label}
      </Button>
    </>
  );
}
