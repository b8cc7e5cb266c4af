import { Button } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { toast, toastFailure } from "../_client/toast";
import { trpc } from "../_client/trpc";
import { Undo } from "./undo";

/** Whether the key muted a creator, and a toggle. Muting offers undo. */
export function useMute(channelId: string, name: string) {
  const utils = trpc.useUtils();
  const { data } = trpc.mutes.all.useQuery();
  const refresh = () => utils.mutes.all.invalidate();
  const followUp = { onError: toastFailure, onSettled: refresh };
  const unmuted = `Emails about ${name} are on again.`;
  const undo = () => utils.client.mutes.unmute.mutate({ channel_id: channelId }).finally(refresh);
  const mute = trpc.mutes.mute.useMutation({
    ...followUp,
    onSuccess: () => {
      const text = `Emails muted for ${name}. Alerts still appear here.`;
      void toast(<Undo text={text} undo={undo} describe={() => unmuted} />, "undo");
    },
  });
  const unmute = trpc.mutes.unmute.useMutation({ ...followUp, onSuccess: () => void toast(unmuted) });
  const isMuted = data?.creators.some(({ channel_id }) => channel_id === channelId) ?? false;
  const change = isMuted ? unmute : mute;
  return {
    isMuted,
    isPending: mute.isPending || unmute.isPending,
    toggle: () => change.mutate({ channel_id: channelId }),
  };
}

/** Mutes or unmutes emails about a creator, by an icon alone if brief. Alerts are created either way. */
export function MuteButton({ channelId, name, isBrief }: { channelId: string; name: string; isBrief?: boolean }) {
  const { isMuted, isPending, toggle } = useMute(channelId, name);
  const Icon = isMuted ? IconBellOff : IconBell;
  const label = isMuted ? "Unmute" : "Mute";
  return (
    <Button
      variant="default"
      size="xs"
      px={isBrief ? 8 : undefined}
      leftSection={!isBrief && <Icon size={14} aria-hidden />}
      loading={isPending}
      title={isMuted ? "You get no emails about this creator" : "Stop the emails about this creator"}
      aria-label={label}
      onClick={toggle}
    >
      {isBrief ? <Icon size={16} aria-hidden /> : label}
    </Button>
  );
}
