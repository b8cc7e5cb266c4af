import { errorMessage } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { type Clock, SECOND } from "@/core/time";

const PAUSE_MS = 5 * SECOND;
/** Whoever was not asked for longer than this does not know whether the part is back for long. */
const IDLE_MS = SECOND;

/** Keeps requests away from a part that does not work, so that none of them waits for it. */
export interface Breaker {
  /** Whether the part may be used. Where it may not, now and then a trial is started that nobody waits for. */
  isClosed(): boolean;
  /**
   * To be awaited by each request. Resolves at once, or after a trial that is due where nobody has asked lately: an idle
   * instance would else do by itself what all others do with the part again.
   */
  settle(): Promise<void>;
  /** The outcome of work with the part; null when it failed, and then nobody else uses the part until a trial worked. */
  attempt<T>(work: () => Promise<T>): Promise<T | null>;
}

interface BreakerOptions {
  /** What the part is called in the log. */
  name: string;
  clock: Clock;
  log: Log;
  /** Uses the part without a lasting effect; rejects while it does not work. */
  probe(): Promise<void>;
  /** Told of each trial under way. */
  after(trial: Promise<void>): void;
  /** Called whenever the part is given up. */
  onOpen(): void;
}

/**
 * A circuit breaker that opens at the first failure, and closes when a trial works: one at a time, every 5 s, for which
 * nobody waits while there are requests all the time.
 */
export function createBreaker({ name, clock, log, probe, after, onOpen }: BreakerOptions): Breaker {
  let nextTrial: number | null = null;
  let trial: Promise<void> | null = null;
  let isAwaited = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  const pause = () => {
    nextTrial = clock.now().getTime() + PAUSE_MS;
  };

  function open(error: unknown): void {
    if (nextTrial === null) log.warn({ reason: reasonOf(error) }, `${name} is given up for now`);
    pause();
    onOpen();
  }

  function tryIfDue(): void {
    if (trial || nextTrial === null || clock.now().getTime() < nextTrial) return;
    trial = tryAgain().finally(() => {
      trial = null;
      isAwaited = false;
    });
    after(trial);
  }

  async function tryAgain(): Promise<void> {
    try {
      await probe();
      nextTrial = null;
      log.info(`${name} is back`);
    } catch (error) {
      pause();
      log.warn({ reason: reasonOf(error) }, `${name} does not work yet`);
    }
  }

  return {
    isClosed() {
      tryIfDue();
      return nextTrial === null;
    },
    async settle() {
      const now = clock.now().getTime();
      const isIdle = now - askedAt > IDLE_MS;
      askedAt = now;
      if (isIdle) {
        tryIfDue();
        isAwaited = trial !== null;
      }
      if (isAwaited) await trial;
    },
    async attempt(work) {
      try {
        return await work();
      } catch (error) {
        open(error);
        return null;
      }
    },
  };
}

/** Why a call failed, and what led to that. */
function reasonOf(error: unknown): string {
  const cause =
    error instanceof Error && error.cause instanceof Error ? `: ${errorMessage(error.cause)}` : "";
  return errorMessage(error) + cause;
}
