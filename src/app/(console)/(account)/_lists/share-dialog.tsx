"use client";

import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { formatUtc } from "@/core/format";
import { SHARE_DAYS, SHARING_OFF } from "@/features/creators/shares.rules";
import { trpc } from "../../_client/trpc";
import { CopyAction } from "../../_ui/copy-action";
import { FailureNotice } from "../../_ui/failure-notice";

interface ShareDialogProps {
  title: string;
  /** What a reader sees, and when the link ends. */
  text: string;
  subject: { channel_id: string } | { list_id: string };
  onClose: () => void;
}

const TERMS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));

/** Makes a link to a creator or a list, inside of a dialog. */
export function ShareDialog(props: ShareDialogProps) {
  return (
    <Stack gap="md">
      <Modal.Title fw={650}>{props.title}</Modal.Title>
      <ShareForm {...props} />
    </Stack>
  );
}

function ShareForm({ text, subject, onClose }: ShareDialogProps) {
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
      <Text size="sm">{text}</Text>
      <SegmentedControl
        aria-label="How long the link works"
        data={TERMS}
        value={String(days)}
        onChange={(chosen) => setDays(SHARE_DAYS.find((term) => String(term) === chosen) ?? SHARE_DAYS[0])}
      />
      {create.error && <FailureNotice error={create.error} />}
      <Group justify="end" gap="xs">
        {close}
        <Button loading={create.isPending} onClick={() => create.mutate({ ...subject, days })}>
          Make link
        </Button>
      </Group>
    </>
  );
}
