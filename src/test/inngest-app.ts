import { afterAll, beforeAll, vi } from "vitest";
import { GET, OPTIONS, POST, PUT } from "@/app/api/inngest/route";
import { type Env, readEnv } from "@/core/env";
import { installContext } from "@/server/context";
import { createInngestJobs } from "@/server/inngest";
import type { RunningJobs } from "@/server/jobs";
import {
  INNGEST_EVENT_KEY,
  INNGEST_SIGNING_KEY,
  type InngestServer,
  startInngestServer,
} from "./inngest-server";
import type { TestService } from "./service";
import { type StandIn, startStandIn } from "./stand-in";

/** The service as an app that Inngest calls, both on the service's clock, with real HTTP between them. */
export interface InngestApp {
  inngest: InngestServer;
  /** The app's own HTTP server, with the route of the product behind it. */
  http: StandIn;
  /** Gives the service's jobs to an Inngest with these variables. The caller starts them. */
  open(variables?: Record<string, string>): RunningJobs;
  /** Runs what Inngest has queued. */
  drain(): Promise<void>;
}

/** One registered app for a test file. */
export function useInngestApp(service: TestService): InngestApp {
  const app = {} as InngestApp;
  let jobs: RunningJobs;
  beforeAll(async () => {
    app.inngest = await startInngestServer({ clock: service.clock });
    app.http = await startStandIn({ state: () => ({}), answer: (request) => handlerOf(request)(request) });
    app.open = (variables) => open(service, app, variables);
    app.drain = () => app.inngest.engine.drain((to) => service.clock.set(to));
    jobs = app.open();
    await jobs.start();
    await vi.waitUntil(() => app.inngest.functions.length > 0, { timeout: 20_000, interval: 5 });
  });
  afterAll(async () => {
    await jobs.stop();
    await Promise.all([app.inngest.stop(), app.http.stop()]);
  });
  return app;
}

function open(service: TestService, { inngest, http }: InngestApp, variables = {}): RunningJobs {
  const env = readEnv({
    NODE_ENV: "test",
    APP_URL: http.url,
    DATA_DIR: service.env.dataDir,
    INNGEST_EVENT_KEY,
    INNGEST_SIGNING_KEY,
    INNGEST_BASE_URL: inngest.url,
    ...variables,
  });
  const ctx = { ...service, env };
  const jobs = createInngestJobs(ctx, requireInngest(env));
  installContext({ ...ctx, jobs: jobs.served });
  return jobs;
}

function requireInngest({ jobs }: Env) {
  if (jobs.kind === "embedded") throw new Error("these variables do not ask for Inngest");
  return jobs;
}

/** The handler of the route for a method. */
function handlerOf({ method }: Request) {
  const handlers = new Map([
    ["GET", GET],
    ["POST", POST],
    ["PUT", PUT],
  ]);
  return handlers.get(method) ?? OPTIONS;
}
