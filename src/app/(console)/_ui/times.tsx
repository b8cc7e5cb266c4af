import { useSyncExternalStore } from "react";
import { formatDistance, formatExpected, formatInstant, formatUtc } from "@/core/format";
import { MINUTE, systemClock } from "@/core/time";

/** An instant in the reader's time zone, with UTC in its title. @param at ISO 8601 */
export function Instant({ at, precision }: { at: string; precision?: "second" }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={formatUtc(at, precision)}>
      {formatInstant(at, zone, precision)}
    </time>
  );
}

/** The distance to an instant, kept up to date, with the instant in its title. */
export function Distance({ at }: { at: string }) {
  const zone = useZone();
  const now = useNow();
  return (
    // The minute may change between server and browser rendering.
    <time dateTime={at} title={`${formatInstant(at, zone)} (${formatUtc(at)})`} suppressHydrationWarning>
      {formatDistance(at, now)}
    </time>
  );
}

/** When something is expected: `Thu 06:20 UTC`. */
export function Expected({ at }: { at: string }) {
  const zone = useZone();
  return (
    <time dateTime={at} title={formatInstant(at, zone)} suppressHydrationWarning>
      {formatExpected(at, useNow())}
    </time>
  );
}

/** The reader's time zone (undefined for Intl); UTC on the server, which does not know it. */
function useZone(): string | undefined {
  return useSyncExternalStore(
    subscribeToNothing,
    () => undefined,
    () => "UTC",
  );
}

function subscribeToNothing(): () => void {
  return () => {};
}

function useNow(): number {
  const minute = useSyncExternalStore(subscribeToMinutes, getCurrentMinute, getCurrentMinute);
  return minute * MINUTE;
}

function getCurrentMinute(): number {
  return Math.floor(systemClock.now().getTime() / MINUTE);
}

function subscribeToMinutes(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE / 6);
  return () => clearInterval(timer);
}
