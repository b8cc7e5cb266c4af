import { readFileSync } from "node:fs";
import { createHistogram } from "node:perf_hooks";
import autocannon from "autocannon";
import { median } from "./report";

/** Requests spread evenly over keys, for some seconds or up to an amount. */
export type Load = {
  url: string;
  keys: readonly string[];
  connections: number;
  /** The server's process, whose CPU time is read. */
  pid: number;
} & ({ seconds: number } | { amount: number });

/** What one run measured; latencies in milliseconds. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU time of the server for each request, in microseconds; NaN where the system does not report it. */
  cpuMicros: number;
}

/**
 * Keeps every connection busy, each with keys of its own as far as there are enough.
 * @throws when a request fails or its status is not 200, because then the run measures something else
 */
export async function runLoad({ url, keys, connections, pid, ...until }: Load): Promise<Measured> {
  // In microseconds: autocannon's own percentiles are whole milliseconds, too coarse for one connection.
  const latencies = createHistogram();
  const path = url.slice(new URL(url).origin.length);
  let client = 0;
  const setupClient = (one: autocannon.Client) => {
    const own = keys.filter((_, index) => keys.length < connections || index % connections === client);
    client += 1;
    one.setRequests(own.map((key) => ({ path, method: "GET" as const, headers: { "x-api-key": key } })));
  };
  const limits = "amount" in until ? { amount: until.amount } : { duration: until.seconds };
  const cpuBefore = readCpuMicros(pid);
  const { non2xx, errors, duration } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({ url, connections, ...limits, setupClient }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
    run.on("response", (_client, _status, _bytes, ms) => latencies.record(Math.ceil(ms * 1000)));
  });
  const cpu = readCpuMicros(pid) - cpuBefore;
  const { count } = latencies;
  if (non2xx + errors > 0 || count === 0)
    throw new Error(`${url}: of ${count} requests ${non2xx} were refused and ${errors} failed`);
  return {
    perSecond: count / duration,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    cpuMicros: cpu / count,
  };
}

/** CPU time that a process has used. The kernel counts in hundredths of a second. */
function readCpuMicros(pid: number): number {
  if (process.platform !== "linux") return Number.NaN;
  const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = rest.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

export function computeMedians(runs: readonly Measured[]): Measured {
  const of = (field: keyof Measured) => median(runs.map((run) => run[field]));
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99"), cpuMicros: of("cpuMicros") };
}
