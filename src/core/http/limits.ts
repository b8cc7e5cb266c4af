import pLimit from "p-limit";
import { AppError, SERVICE_BUSY } from "@/core/errors";
import { getAddressGroup } from "@/core/http/client-address";
import type { Log } from "@/core/log/log";
import type { Metrics } from "@/core/log/metrics";
import { SECOND } from "@/core/time";

/**
 * How many requests may run at once, be under way in all (the others wait), and be under way for one client address.
 * Pages compute, so running more at once would only delay each of them, and the API too.
 */
const BOUNDS = {
  api: { running: 128, total: 512, perAddress: 256 },
  page: { running: 4, total: 128, perAddress: 32 },
  file: { running: 32, total: 256, perAddress: 128 },
};
export type RequestKind = keyof typeof BOUNDS;
export const REQUEST_KINDS = Object.keys(BOUNDS) as RequestKind[];

export type Limits = ReturnType<typeof createLimits>;

/** Limits the requests under way, and counts and logs those that are refused. */
export function createLimits(log: Log, metrics: Metrics) {
  const limits = { api: createLimit("api"), page: createLimit("page"), file: createLimit("file") };
  const refused = new Map<string, number>();
  const logRefused = () => {
    log.warn({ refused: Object.fromEntries(refused) }, "requests refused: too many are under way");
    refused.clear();
  };
  /** Counts a refused request. One log line per second tells how many there were. */
  function recordRefusal(kind: RequestKind | "connection"): void {
    metrics.recordLoadRefusal(kind);
    if (refused.size === 0) setTimeout(logRefused, SECOND).unref();
    refused.set(kind, (refused.get(kind) ?? 0) + 1);
  }
  return {
    recordRefusal,
    countUnderWay: (kind: RequestKind): number => limits[kind].count(),
    /**
     * Runs the work of a request when its turn comes. The request counts until its work ends, also when its client has gone.
     * @param isWanted whether the client still waits when the turn comes
     * @throws AppError `unavailable` when the work does not run
     */
    run<T>(kind: RequestKind, address: string, isWanted: () => boolean, work: () => Promise<T>): Promise<T> {
      const group = getAddressGroup(address);
      if (limits[kind].hasRoom(group)) return limits[kind].run(group, isWanted, work);
      recordRefusal(kind);
      return refuse();
    },
  };
}

function createLimit(kind: RequestKind) {
  const { running, total, perAddress } = BOUNDS[kind];
  const takeTurn = pLimit(running);
  const byAddress = new Map<string, number>();
  let underWay = 0;
  function count(address: string, change: 1 | -1): void {
    underWay += change;
    const own = (byAddress.get(address) ?? 0) + change;
    if (own > 0) byAddress.set(address, own);
    else byAddress.delete(address);
  }
  return {
    count: () => underWay,
    hasRoom: (address: string) => underWay < total && (byAddress.get(address) ?? 0) < perAddress,
    async run<T>(address: string, isWanted: () => boolean, work: () => Promise<T>): Promise<T> {
      count(address, 1);
      try {
        return await takeTurn(() => (isWanted() ? work() : refuse()));
      } finally {
        count(address, -1);
      }
    },
  };
}

async function refuse(): Promise<never> {
  throw new AppError("busy", SERVICE_BUSY, { retryAfter: 1 });
}
