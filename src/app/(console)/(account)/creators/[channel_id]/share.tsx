"use client";

import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { formatUtc } from "@/core/format";
import { SHARE_DAYS, SHARING_OFF } from "@/features/creators/shares.rules";
import { trpc } from "../../../_client/trpc";
import { CopyAction } from "../../../_ui/copy-action";
import { FailureNotice } from "../../../_ui/failure-notice";

/** Opens the dialog that makes a link to the creator's evidence card. */
export function ShareButton({ channelId, name }: { channelId: string; name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
        Share
      </Button>
      <Modal opened={isOpen} onClose={() => setIsOpen(false)} centered withCloseButton={false}>
        <Stack gap="md">
          <Modal.Title fw={650}>Share {name}</Modal.Title>
          <ShareForm channelId={channelId} onClose={() => setIsOpen(false)} />
        </Stack>
      </Modal>
    </>
  );
}

const TERMS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));

function ShareForm({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const [days, setDays] = useState<(typeof SHARE_DAYS)[number]>(SHARE_DAYS[0]);
  const utils = trpc.useUtils();
  const open = trpc.shares.all.useQuery();
  const create = trpc.shares.create.useMutation({ onSuccess: () => utils.shares.all.invalidate() });
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  if (open.data?.is_allowed === false)
    return (
      <>
        <Text size="sm">{SHARING_OFF}</Text>
        <Group justify="end">{close}</Group>
      </>
    );
  if (create.data) {
    const { url, expires_at } = create.data;
    return (
      <>
        <TextInput
          label="Link"
          description="Copy it now: it is not shown again."
          value={url}
          readOnly
          rightSection={<CopyAction text={url} label="Copy the link" />}
        />
        <Text size="sm">It works until {formatUtc(expires_at)}. You can revoke it in the settings.</Text>
        <Group justify="end">{close}</Group>
      </>
    );
  }
  return (
    <>
      <Text size="sm">
        Anyone with the link sees the chart, growth, score and level of this creator, without a key. It ends when you
        revoke it or stop tracking the creator.
      </Text>
      <SegmentedControl
        aria-label="How long the link works"
        data={TERMS}
        value={String(days)}
        onChange={(chosen) => setDays(SHARE_DAYS.find((term) => String(term) === chosen) ?? SHARE_DAYS[0])}
      />
      {create.error && <FailureNotice error={create.error} />}
      <Group justify="end" gap="xs">
        {close}
        <Button loading={create.isPending} onClick={() => create.mutate({ channel_id: channelId, days })}>
          Make link
        </Button>
      </Group>
    </>
  );
}
