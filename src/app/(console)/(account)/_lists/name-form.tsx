import { Button, Group, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { MAX_NAME_LENGTH } from "@/features/lists/rules";
import { getFieldError, toFailure } from "../../_client/failure";
import { QuietButton } from "../../_ui/quiet-button";

interface NameFormProps {
  label: string;
  initial?: string;
  action: string;
  isPending: boolean;
  error: unknown;
  onName: (name: string) => void;
  onCancel?: () => void;
}

/** A name for a list or a view. */
export function NameForm({ label, initial = "", action, isPending, error, onName, onCancel }: NameFormProps) {
  const [typed, setTyped] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) onName(typed);
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label={label}
        size="sm"
        data-autofocus
        autoComplete="off"
        dir="auto"
        maxLength={MAX_NAME_LENGTH}
        value={typed}
        error={error ? (getFieldError(error, "name") ?? toFailure(error).message) : undefined}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <Group justify="end" gap="xs" mt="sm">
        {onCancel && <QuietButton onClick={onCancel}>Cancel</QuietButton>}
        <Button type="submit" size="xs" loading={isPending}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
