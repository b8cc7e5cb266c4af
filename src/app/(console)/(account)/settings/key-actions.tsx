import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { toast } from "../../_client/toast";
import { trpc } from "../../_client/trpc";
import { Confirmation } from "../../_ui/confirmation";
import { FailureNotice } from "../../_ui/failure-notice";
import { useEndSessions } from "../_shell/use-sign-out";

/** What the owner of a key does when it may have leaked: ask for a new key, and end all sessions. */
export function KeyActions() {
  const [isAsking, { open, close }] = useDisclosure(false);
  const rotation = trpc.keys.requestRotation.useMutation({
    onSuccess: () => toast("Rotation requested. The operator will send you the new key."),
  });
  const ending = useEndSessions();
  return (
    <>
      <Group mt="md" gap="xs">
        <Button variant="default" loading={rotation.isPending} onClick={() => rotation.mutate()}>
          Request a rotation
        </Button>
        <Button variant="default" onClick={open}>
          End all sessions
        </Button>
      </Group>
      {rotation.error && <FailureNotice error={rotation.error} />}
      <Modal opened={isAsking} onClose={close} centered withCloseButton={false}>
        <Confirmation
          title="End all sessions?"
          mutation={ending}
          keep="Stay signed in"
          onKeep={close}
          action="End all sessions"
          onConfirm={() => ending.mutate()}
        >
          <Text size="sm">Every browser that is signed in with this key is signed out, this one too.</Text>
          <Text size="sm">The key itself keeps working. If it may have leaked, request a rotation as well.</Text>
        </Confirmation>
      </Modal>
    </>
  );
}
