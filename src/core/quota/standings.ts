import type { Day } from "@/core/time";

/** What this process knows of the counter that another part keeps for a key. */
export interface Standing {
  /** The highest count that it told, which every later one must be above; null until it knows of PostgreSQL's. */
  told: number | null;
}

/** The standings of all keys on the latest day. Whoever finds another one after its count than before must not rely on that count. */
export interface Standings {
  of(keyId: string, day: Day): Standing;
  isCurrent(keyId: string, standing: Standing): boolean;
  forget(keyId: string): void;
  forgetAll(): void;
}

/** Standings of which nothing is known yet. */
export function createStandings(): Standings {
  let latest = "";
  let known = new Map<string, Standing>();
  return {
    of(keyId, day) {
      if (day !== latest) known = new Map();
      latest = day;
      const standing = known.get(keyId) ?? { told: null };
      known.set(keyId, standing);
      return standing;
    },
    isCurrent: (keyId, standing) => known.get(keyId) === standing,
    forget: (keyId) => void known.delete(keyId),
    forgetAll() {
      known = new Map();
    },
  };
}
