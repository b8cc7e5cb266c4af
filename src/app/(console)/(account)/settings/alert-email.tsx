"use client";

import { Alert, Button, Group, Skeleton, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { formatQuantity } from "@/core/format";
import type { AddressState } from "@/features/notifications/addresses.service";
import { getFieldError, toFailure } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { FailureNotice } from "../../_ui/failure-notice";
import { QueryState } from "../../_ui/query-state";
import { QuietButton } from "../../_ui/quiet-button";

/** The key's alert address: set, replace, clear, test. */
export function AlertEmail() {
  const setting = trpc.addresses.get.useQuery();
  return (
    <Card title="Alert emails">
      <Text size="sm" c="dimmed" mb="sm">
        We email this address as soon as a tracked creator grows more than 10% in a day.
      </Text>
      <QueryState query={setting} skeleton={<Skeleton height={180} />}>
        {(state) => (
          <>
            <AddressForm key={state.email} email={state.email} />
            {state.email !== null && <TestMail {...state} />}
          </>
        )}
      </QueryState>
    </Card>
  );
}

function AddressForm({ email }: Pick<AddressState, "email">) {
  const [typed, setTyped] = useState(email ?? "");
  const utils = trpc.useUtils();
  // A new address remounts the form, so its messages are toasts.
  const changed = {
    onSuccess: ({ message }: { message: string }) => {
      void toast(message);
      void utils.keys.firstSteps.invalidate();
      return utils.addresses.invalidate();
    },
  };
  const set = trpc.addresses.set.useMutation(changed);
  const clear = trpc.addresses.clear.useMutation(changed);
  const error = set.error ?? clear.error;

  function submit(event: FormEvent) {
    event.preventDefault();
    clear.reset();
    set.mutate({ email: typed });
  }

  const wrong = getFieldError(error, "email");
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
      {error && toFailure(error).issues.length === 0 && <FailureNotice error={error} />}
      <Group mt="sm">
        <Button type="submit" loading={set.isPending}>
          Save
        </Button>
        {email !== null && (
          <Button
            variant="default"
            loading={clear.isPending}
            onClick={() => {
              set.reset();
              clear.mutate();
            }}
          >
            Turn off emails
          </Button>
        )}
      </Group>
    </form>
  );
}

function TestMail({ email, awaits_confirmation, test_mails_left: left }: AddressState) {
  const utils = trpc.useUtils();
  const test = trpc.addresses.test.useMutation({
    onSuccess: ({ message }) => toast(message),
    onSettled: () => utils.addresses.invalidate(),
  });
  if (awaits_confirmation)
    return (
      <Alert variant="default" mt="md" title="Waiting for confirmation">
        {email} unsubscribed from this key’s emails or could not be reached. We sent it a confirmation link; alerts
        resume once it is confirmed. Save the address again to get a new link, at most once in 30 days.
      </Alert>
    );
  return (
    <div style={{ marginTop: "1rem" }}>
      <Group gap="sm">
        <QuietButton loading={test.isPending} onClick={() => test.mutate()}>
          Send a test email
        </QuietButton>
        <Text size="sm" c="dimmed">
          {formatQuantity(left, "test email")} left today (UTC)
        </Text>
      </Group>
      {test.error && <FailureNotice error={test.error} />}
    </div>
  );
}
