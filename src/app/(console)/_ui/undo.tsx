import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toFailure } from "../_client/failure";

interface UndoProps<Result> {
  text: string;
  undo: () => Promise<Result>;
  describe: (result: Result) => ReactNode;
  /** What undoing uses; nothing by default. */
  cost?: string;
  hasFocus?: boolean;
}

/** The content of a toast that offers to undo what it says. */
export function Undo<Result>({ text, undo, describe, cost, hasFocus }: UndoProps<Result>) {
  const { data, error, isPending, isSuccess, mutate } = useMutation({ mutationFn: undo });
  if (isSuccess) return describe(data);
  return (
    <>
      <Text size="sm">{error ? toFailure(error).message : text}</Text>
      <Button
        ref={hasFocus ? focus : undefined}
        size="compact-sm"
        variant="default"
        mt={6}
        loading={isPending}
        onClick={() => mutate()}
      >
        {cost ? `${error ? "Try again" : "Undo"} · ${cost}` : "Undo"}
      </Button>
    </>
  );
}

/** Gives a button the focus that a vanished one had. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}
