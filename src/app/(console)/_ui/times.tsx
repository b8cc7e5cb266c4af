"use client";

import { useSyncExternalStore } from "react";
import { instant, MINUTE, systemClock } from "@/core/time";
import { formatDistance, formatInstant, formatUtc } from "@/ui/format";

interface TimeProps {
  /** ISO 8601 */
  at: string;
}

/** An instant in the reader's own zone; its title has it in UTC. */
export function Instant({ at, precision }: TimeProps & { precision?: "second" }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={formatUtc(instant(at), precision)}>
      {formatInstant(instant(at), zone, precision)}
    </time>
  );
}

/** How far away an instant is, kept up to date. Its title has the instant itself. */
export function Distance({ at }: TimeProps) {
  const zone = useZone();
  const now = useNow();
  return (
    // A minute may begin between the server's rendering and the browser's.
    <time
      dateTime={at}
      title={`${formatInstant(instant(at), zone)} (${formatUtc(instant(at))})`}
      suppressHydrationWarning
    >
      {formatDistance(instant(at), now)}
    </time>
  );
}

/** The reader's own zone, which is undefined to formats; UTC as long as it is not known, on the server. */
function useZone(): string | undefined {
  return useSyncExternalStore(
    onNothing,
    () => undefined,
    () => "UTC",
  );
}

function onNothing(): () => void {
  return () => {};
}

/** The present minute. */
function useNow(): Date {
  const minute = useSyncExternalStore(onNextMinute, presentMinute, presentMinute);
  return instant(minute * MINUTE);
}

function presentMinute(): number {
  return Math.floor(systemClock.now().getTime() / MINUTE);
}

function onNextMinute(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE / 6);
  return () => clearInterval(timer);
}
