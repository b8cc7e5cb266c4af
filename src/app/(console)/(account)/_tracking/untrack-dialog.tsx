import { Modal, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { trpc } from "../../_client/trpc";
import { Confirmation } from "../../_ui/confirmation";
import { markTracked } from "./use-tracking";

interface UntrackDialogProps {
  channelId: string;
  name: string;
  opened: boolean;
  onClose: () => void;
  onClosed: () => void;
}

/** Confirms untracking a creator, and leaves its page. */
export function UntrackDialog({ channelId, name, opened, onClose, onClosed }: UntrackDialogProps) {
  const router = useRouter();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const untrack = trpc.creators.untrack.useMutation({
    onSuccess() {
      markTracked(queryClient, [channelId], false);
      void utils.creators.tracked.invalidate();
      void utils.lists.invalidate();
      void utils.keys.firstSteps.invalidate();
      // No refetch: the page being left would only get 404.
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
      // The modal loads late, so it does not know the previous focus.
      returnFocus={false}
      onExitTransitionEnd={onClosed}
      centered
      // Its header would be a second banner landmark.
      withCloseButton={false}
    >
      <Confirmation
        title={`Untrack ${name}?`}
        mutation={untrack}
        keep="Keep tracking"
        onKeep={onClose}
        action="Untrack"
        onConfirm={() => untrack.mutate({ channel_id: channelId })}
      >
        <Text size="sm">You get no more snapshots or alerts for this creator. Its past alerts stay.</Text>
        <Text size="sm">
          Its history leaves the console right away. Tracking it again uses 1 request and starts a new history.
        </Text>
      </Confirmation>
    </Modal>
  );
}
