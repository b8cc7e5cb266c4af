import type { Day } from "@/core/time";

/** What this process knows of the counter that another part keeps for a key. */
export interface Standing {
  /** The highest count that it told; null until it knows of PostgreSQL's. */
  told: number | null;
  /** What had been counted before this process was granted anything by it. */
  from: number;
  /** Requests that this process was granted by it. */
  granted: number;
}

/**
 * The standings of all keys on the latest day. Whoever finds another one after its count than before must not rely on
 * that count.
 */
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
      const standing = known.get(keyId) ?? { told: null, from: Number.POSITIVE_INFINITY, granted: 0 };
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

/**
 * Takes a count as the grant of one request, if a counter that has lost nothing can have told it: each count is above
 * all that was known when it was asked for, and no two are the same, so that they are no more than the highest. What a
 * process grants is then never more than the limit, whatever becomes of the counter, until what it knows is forgotten.
 * @param before what was known to be counted when it was asked for
 * @returns whether it was taken
 */
export function grantBy(standing: Standing, count: number, before: number): boolean {
  const from = Math.min(standing.from, before);
  const told = Math.max(standing.told ?? 0, count);
  if (count <= before || from + standing.granted >= told) return false;
  Object.assign(standing, { told, from, granted: standing.granted + 1 });
  return true;
}
