"use client";

import { useSyncExternalStore } from "react";
import { instant, MINUTE, systemClock } from "@/core/time";
import { formatDistance, formatInstant, formatUtc } from "@/ui/format";

interface TimeProps {
  /** ISO 8601 */
  at: string;
}

/** An instant in the reader's own zone; its title has it in UTC. */
export function Instant({ at }: TimeProps) {
  return (
    <time dateTime={at} title={formatUtc(instant(at))}>
      {formatInstant(instant(at))}
    </time>
  );
}

/** How far away an instant is, kept up to date. Its title has the instant itself. */
export function Distance({ at }: TimeProps) {
  const now = useNow();
  return (
    <time dateTime={at} title={`${formatInstant(instant(at))} (${formatUtc(instant(at))})`}>
      {formatDistance(instant(at), now)}
    </time>
  );
}

/** The present minute. Parts that show data are not rendered on the server, where the reader's clock is unknown. */
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
