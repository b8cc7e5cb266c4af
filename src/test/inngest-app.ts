import { afterAll, beforeAll, vi } from "vitest";
import { type Env, readEnv } from "@/core/env";
import { installContext } from "@/server/context";
import { createInngestJobs } from "@/server/inngest";
import type { RunningJobs } from "@/server/jobs";
import { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, type InngestServer, startInngestServer } from "./inngest-server";
import { answer } from "./request";
import type { TestService } from "./service";
import { type StandIn, startStandIn } from "./stand-in";

/** The service as an app of Inngest. Both use the service's clock and talk over HTTP. */
export interface InngestApp {
  inngest: InngestServer;
  /** The app's HTTP server with the product's route. */
  http: StandIn;
  /** Makes Inngest, with these variables, run the service's jobs. The caller starts it. */
  open(variables?: Record<string, string>): RunningJobs;
  /** Runs what Inngest has queued. */
  drain(): Promise<void>;
}

/** A registered app for one test file. */
export function useInngestApp(service: TestService): InngestApp {
  const app = {} as InngestApp;
  let jobs: RunningJobs;
  beforeAll(async () => {
    app.inngest = await startInngestServer({ clock: service.clock });
    app.http = await startStandIn({ answer: (request) => answer(request) });
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
