"use client";

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { markTracked } from "../../../_client/discovered";
import { trpc } from "../../../_client/trpc";
import { FailureNotice } from "../../../_ui/failure-notice";

interface StopDialogProps {
  channelId: string;
  name: string;
  opened: boolean;
  onClose: () => void;
  /** Once it is out of sight. */
  onClosed: () => void;
}

/** Asks whether a creator is to be tracked no longer, and says what follows. */
export function StopDialog({ channelId, name, opened, onClose, onClosed }: StopDialogProps) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const untrack = trpc.creators.untrack.useMutation({
    onSuccess() {
      markTracked(queryClient, channelId, false);
      void utils.creators.tracked.invalidate();
      void utils.keys.firstSteps.invalidate();
      // The page that is left would only learn that there is nothing any more.
      for (const query of [utils.creators.get, utils.creators.history])
        void query.invalidate({ channel_id: channelId }, { refetchType: "none" });
      router.push("/overview");
      router.refresh();
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      // Left to itself, it does not know where the focus was before it was loaded.
      returnFocus={false}
      onExitTransitionEnd={onClosed}
      centered
      // Its header would be a second banner of the page.
      withCloseButton={false}
    >
      <Stack gap="md">
        <Modal.Title fw={650}>Stop tracking {name}?</Modal.Title>
        <Text size="sm">
          It is no longer read for this key from the next daily snapshot on, and makes no more alerts. Its
          past alerts stay.
        </Text>
        <Text size="sm">
          Its readings leave the console at once. If you track it again, which counts 1 request, they begin
          anew on that day.
        </Text>
        {untrack.error && <FailureNotice error={untrack.error} />}
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep tracking
          </Button>
          <Button
            color="red.9"
            loading={untrack.isPending || untrack.isSuccess}
            onClick={() => untrack.mutate({ channel_id: channelId })}
          >
            Stop tracking
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
