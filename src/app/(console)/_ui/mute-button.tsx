"use client";

import { Button } from "@mantine/core";
import { IconBell, IconBellOff } from "@tabler/icons-react";
import { useMute } from "./use-mute";

/** Mutes or unmutes emails about a creator. Alerts are created either way. */
export function MuteButton({ channelId, name }: { channelId: string; name: string }) {
  const { isMuted, isPending, toggle } = useMute(channelId, name);
  const Icon = isMuted ? IconBellOff : IconBell;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={14} aria-hidden />}
      loading={isPending}
      title={isMuted ? "You get no emails about this creator" : "Stop the emails about this creator"}
      onClick={toggle}
    >
      {isMuted ? "Unmute" : "Mute"}
    </Button>
  );
}
