import { readFileSync } from "node:fs";
import autocannon from "autocannon";
import { median } from "./report";

/** Requests spread evenly over keys, each of which asks for all paths: for some seconds, or so many requests. */
export type Load = {
  url: string;
  /** What is asked for, when that is more than `url`. */
  paths?: readonly string[];
  keys: readonly string[];
  connections: number;
  /** The server's process, whose CPU time is read. */
  pid: number;
} & ({ seconds: number } | { amount: number });

/** What one bounded run of load saw; times in milliseconds. */
export interface Seen {
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  /** CPU time of the server for each request, in microseconds; null where the system does not tell. */
  cpuMicros: number | null;
}

/**
 * Keeps every connection busy for the given time, each with keys of its own as far as they go round.
 * @throws when a request fails or is answered other than 200: then nothing has been measured
 */
export async function applyLoad({ url, paths, keys, connections, pid, ...until }: Load): Promise<Seen> {
  const took: number[] = [];
  let client = 0;
  const cpuBefore = cpuMillis(pid);
  const setupClient = (one: autocannon.Client) => {
    const own = keys.filter((_, index) => keys.length < connections || index % connections === client);
    client += 1;
    one.setRequests(
      own.flatMap((key) =>
        (paths ?? [url.slice(new URL(url).origin.length)]).map((path) => ({
          path,
          method: "GET",
          headers: { "x-api-key": key },
        })),
      ),
    );
  };
  const limits = "amount" in until ? { amount: until.amount } : { duration: until.seconds };
  const { non2xx, errors, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({ url, connections, ...limits, setupClient }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    run.on("response", (_client, _status, _bytes, responseTime) => took.push(responseTime));
  });
  if (non2xx + errors > 0 || took.length === 0)
    throw new Error(`${url}: of ${took.length} requests ${non2xx} were refused and ${errors} failed`);
  const cpu = cpuMillis(pid);
  return {
    perSecond: took.length / duration,
    p50: quantile(took, 0.5),
    p95: quantile(took, 0.95),
    p99: quantile(took, 0.99),
    cpuMicros: cpu === null || cpuBefore === null ? null : (1000 * (cpu - cpuBefore)) / took.length,
  };
}

function quantile(values: number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** CPU time that a process has used, in milliseconds; the kernel counts in hundredths of a second. */
export function cpuMillis(pid: number): number | null {
  if (process.platform !== "linux") return null;
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Medians of what several runs saw. */
export function medianOf(runs: readonly Seen[]): Seen {
  const of = (field: "perSecond" | "p50" | "p95" | "p99") => median(runs.map((run) => run[field]));
  const cpu = runs.flatMap(({ cpuMicros }) => cpuMicros ?? []);
  return {
    perSecond: of("perSecond"),
    p50: of("p50"),
    p95: of("p95"),
    p99: of("p99"),
    cpuMicros: cpu.length > 0 ? median(cpu) : null,
  };
}
