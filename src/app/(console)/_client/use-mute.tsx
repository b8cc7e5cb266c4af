"use client";

import { Button, Text } from "@mantine/core";
import { toFailure } from "./failure";
import { toast } from "./toast";
import { trpc } from "./trpc";

/** Whether the key muted a creator, and a toggle. Muting offers undo. */
export function useMute(channelId: string, name: string) {
  const utils = trpc.useUtils();
  const { data } = trpc.mutes.all.useQuery();
  const followUp = {
    onError: (error: unknown) => void toast(toFailure(error).message, "failed"),
    onSettled: () => utils.mutes.all.invalidate(),
  };
  const mute = trpc.mutes.mute.useMutation({
    ...followUp,
    onSuccess: () => void toast(<Muted channelId={channelId} name={name} />, "undo"),
  });
  const unmute = trpc.mutes.unmute.useMutation({
    ...followUp,
    onSuccess: () => void toast(`Emails about ${name} are on again.`),
  });
  const isMuted = data?.creators.some(({ channel_id }) => channel_id === channelId) ?? false;
  const isPending = mute.isPending || unmute.isPending;
  const change = isMuted ? unmute : mute;
  return { isMuted, isPending, toggle: () => change.mutate({ channel_id: channelId }) };
}

function Muted({ channelId, name }: { channelId: string; name: string }) {
  const utils = trpc.useUtils();
  const undo = trpc.mutes.unmute.useMutation({ onSettled: () => utils.mutes.all.invalidate() });
  if (undo.isSuccess) return <>Emails about {name} are on again.</>;
  return (
    <>
      <Text size="sm">
        {undo.error ? toFailure(undo.error).message : `No more emails about ${name}. Alerts are still made.`}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        mt={6}
        loading={undo.isPending}
        onClick={() => undo.mutate({ channel_id: channelId })}
      >
        Undo
      </Button>
    </>
  );
}
