import { Inngest, type InngestFunction } from "inngest";
import { serve } from "inngest/next";
import { createLog } from "@/core/log/log";
import { type Clock, ManualClock, SECOND, toDate } from "@/core/time";
import { Engine } from "@/jobs/engine";
import type { ServedHandlers } from "@/jobs/protocol";

export const SIGNING_KEY = "signkey-local-0a1b2c3d";
const START = "2026-03-01T00:00:00.000Z";

interface BenchOptions<C extends Clock> {
  clock: C;
  maxParallel?: number;
  /** Wraps the handler, to break its answers. */
  tamper?: (post: ServedHandlers["POST"]) => ServedHandlers["POST"];
}

/** An engine and an Inngest client, wired as in the product. */
export function createBenchOn<C extends Clock>({ clock, maxParallel, tamper }: BenchOptions<C>) {
  const log = createLog({ level: "silent" });
  const engine = new Engine({ signingKey: SIGNING_KEY, clock, log, maxParallel });
  const inngest = new Inngest({ id: "app", logger: log, ...engine.clientOptions });
  /** The `stepId` of every request the engine made. */
  const requests: string[] = [];

  async function register(...functions: InngestFunction.Any[]): Promise<ServedHandlers> {
    const served: ServedHandlers = serve({ client: inngest, functions, enableUnauthedSync: false });
    const post = tamper?.(served.POST) ?? served.POST;
    await engine.register({
      PUT: served.PUT,
      POST: (request) => {
        requests.push(new URL(request.url).searchParams.get("stepId") ?? "");
        return post(request);
      },
    });
    return served;
  }

  return { clock, engine, inngest, requests, register };
}

/** The same on a manual clock at the start of a day. `seconds` is how far it was moved. */
export function createBench(options: Omit<BenchOptions<ManualClock>, "clock"> = {}) {
  const bench = createBenchOn({ clock: new ManualClock(START), ...options });
  const getSeconds = () => (bench.clock.now().getTime() - toDate(START).getTime()) / SECOND;
  const drain = () => bench.engine.drain((to) => bench.clock.set(to));
  return { ...bench, seconds: getSeconds, drain };
}
