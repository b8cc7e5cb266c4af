"use client";

import { Button, Group, Skeleton, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { failureOf, fieldError } from "../../_client/failure";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { FailureNotice } from "../../_ui/failure-notice";
import { QueryState } from "../../_ui/query-state";

/** The one address that receives the key's alerts: set, replace, clear. */
export function AlertEmail() {
  const setting = trpc.addresses.get.useQuery();
  return (
    <Card title="Alert emails">
      <QueryState query={setting} skeleton={<Skeleton height={92} />}>
        {({ email }) => <AddressForm key={email} email={email} />}
      </QueryState>
    </Card>
  );
}

function AddressForm({ email }: { email: string | null }) {
  const [typed, setTyped] = useState(email ?? "");
  const utils = trpc.useUtils();
  const changed = { onSuccess: () => utils.addresses.invalidate() };
  const set = trpc.addresses.set.useMutation(changed);
  const clear = trpc.addresses.clear.useMutation(changed);
  const error = set.error ?? clear.error;

  function submit(event: FormEvent) {
    event.preventDefault();
    set.mutate({ email: typed });
  }

  const wrong = fieldError(error, "email");
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        type="email"
        autoComplete="email"
        label="Address"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        error={wrong && `The address ${wrong}.`}
        errorProps={{ role: "alert" }}
      />
      {error && failureOf(error).issues.length === 0 && <FailureNotice error={error} />}
      <Group mt="sm">
        <Button type="submit" loading={set.isPending}>
          Save
        </Button>
        {email !== null && (
          <Button variant="default" loading={clear.isPending} onClick={() => clear.mutate()}>
            Send no emails
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt="xs" role="status">
        {set.data?.message ?? clear.data?.message}
      </Text>
    </form>
  );
}
