"use client";

import { toast, toastFailure } from "../_client/toast";
import { trpc } from "../_client/trpc";
import { Undo } from "./undo";

/** Whether the key muted a creator, and a toggle. Muting offers undo. */
export function useMute(channelId: string, name: string) {
  const utils = trpc.useUtils();
  const { data } = trpc.mutes.all.useQuery();
  const followUp = {
    onError: toastFailure,
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
  return (
    <Undo
      text={`No more emails about ${name}. Alerts are still made.`}
      mutation={undo}
      undone={`Emails about ${name} are on again.`}
      onUndo={() => undo.mutate({ channel_id: channelId })}
    />
  );
}
