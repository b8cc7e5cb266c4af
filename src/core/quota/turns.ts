import { Semaphore } from "async-mutex";

/** Has few requests of each key under way at once, in the order in which they came. */
export interface Turns {
  /** Resolves once it is a request's turn, with what ends the turn. */
  take(keyId: string): Promise<() => void>;
  /** Whether the key's next request has to wait. */
  areTaken(keyId: string): boolean;
}

/** @param most how many requests of a key are under way at once */
export function createTurns(most: number): Turns {
  const ofKeys = new Map<string, Semaphore>();
  return {
    async take(keyId) {
      const turns = ofKeys.get(keyId) ?? new Semaphore(most);
      ofKeys.set(keyId, turns);
      const [, end] = await turns.acquire();
      return () => {
        end();
        if (turns.getValue() === most) ofKeys.delete(keyId);
      };
    },
    areTaken: (keyId) => ofKeys.get(keyId)?.isLocked() ?? false,
  };
}
