"use client";

import { Alert, Anchor, Button, Group, Skeleton, Switch, Text, TextInput } from "@mantine/core";
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { formatQuantity } from "@/core/format";
import type { AddressState } from "@/features/notifications/addresses.service";
import type { MutedCreator } from "@/features/notifications/schema";
import { getFieldError, toFailure } from "../../_client/failure";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Card } from "../../_ui/card";
import { useMute } from "../../_ui/mute";
import { getDisplayName } from "../../_ui/names";
import { FailureNotice, QueryState } from "../../_ui/query-state";
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

/** Turns the key's weekly digest on and off. */
export function WeeklyDigest({ isAllowed }: { isAllowed: boolean }) {
  return (
    <Card title="Weekly digest" isStatic>
      {isAllowed ? (
        <DigestSwitch />
      ) : (
        <Text size="sm" c="dimmed">
          The weekly digest is off on this service. YouTube’s terms allow it only once YouTube has approved the service
          for it.
        </Text>
      )}
    </Card>
  );
}

function DigestSwitch() {
  const utils = trpc.useUtils();
  const setting = trpc.digests.get.useQuery();
  const address = trpc.addresses.get.useQuery();
  const show = (on: boolean) => utils.digests.get.setData(undefined, { on });
  const set = trpc.digests.set.useMutation({
    // In order, so that the last click wins.
    scope: { id: "weekly digest" },
    onMutate: ({ on }) => show(on),
    onError: (_error, { on }) => show(!on),
    onSuccess: ({ on }) => toast(on ? "Weekly digest is on" : "Weekly digest is off"),
  });
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        On Monday at 07:00 UTC we email the alert address your top movers, the week’s alerts and how earlier ones turned
        out. We skip a week when nothing happened.
      </Text>
      <QueryState query={setting} skeleton={<Skeleton height={24} />}>
        {({ on }) => (
          <Switch
            size="md"
            checked={on}
            onChange={({ currentTarget: { checked } }) => set.mutate({ on: checked })}
            label="Email me the weekly digest"
            styles={{ label: { fontSize: "var(--mantine-font-size-sm)" } }}
          />
        )}
      </QueryState>
      {set.error && <FailureNotice error={set.error} />}
      {setting.data?.on && address.data?.email === null && (
        <Alert variant="default" mt="md" title="No alert address">
          Save an alert address to get the digest.
        </Alert>
      )}
    </>
  );
}

/** The creators that the key gets no emails about. */
export function MutedCreatorsCard() {
  const muted = trpc.mutes.all.useQuery();
  return (
    <Card title="Muted creators" isStatic>
      <QueryState query={muted} skeleton={<Skeleton height={24} />}>
        {({ creators }) =>
          creators.length === 0 ? (
            <Text size="sm" c="dimmed">
              None. Mute a creator on its page or in an alert to stop its emails.
            </Text>
          ) : (
            creators.map((creator) => <Muted key={creator.channel_id} {...creator} />)
          )
        }
      </QueryState>
    </Card>
  );
}

function Muted(creator: MutedCreator) {
  const name = getDisplayName(creator);
  const { isPending, toggle } = useMute(creator.channel_id, name);
  return (
    <Group justify="space-between" wrap="nowrap" py={4}>
      <Anchor component={Link} href={`/creators/${creator.channel_id}`} prefetch={false} size="sm" dir="auto" truncate>
        {name}
      </Anchor>
      <QuietButton loading={isPending} onClick={toggle}>
        Unmute<span className="visually-hidden"> {name}</span>
      </QuietButton>
    </Group>
  );
}
