import type { Env } from "@/core/env";
import { getErrorMessage } from "@/core/errors";
import { redact } from "@/core/http/call";
import { MINUTE, SECOND, sleep } from "@/core/time";
import { createJobClient } from "@/jobs/client";
import { createSignedRequest, type ServedJobs } from "@/jobs/protocol";
import type { ServiceContext } from "./context";
import { createJobFunctions, type RunningJobs, sendRenewal, serveFunctions } from "./jobs";

export type InngestEnv = Exclude<Env["jobs"], { kind: "embedded" }>;

const PATH = "/api/inngest";
const TIMEOUT = 30 * SECOND;

/** The jobs, run by Inngest or its dev server. `start` registers the functions until that succeeds; serverless hosts never call it. */
export function createInngestJobs(ctx: ServiceContext, settings: InngestEnv): RunningJobs {
  const { log, env } = ctx;
  const client = createJobClient({ ...getClientOptions(settings), fetch: fetchWithTimeout, logger: log });
  const base = new URL(env.appUrl);
  const served = serveFunctions(client, createJobFunctions(client, ctx), {
    serveOrigin: base.origin,
    servePath: `${base.pathname.replace(/\/$/, "")}${PATH}`,
  });
  const secrets = settings.kind === "inngest" ? [settings.signingKey, settings.eventKey] : [];
  let isStopped = false;

  async function registerWithRetry(): Promise<void> {
    for (let wait = SECOND; !isStopped; wait = Math.min(2 * wait, MINUTE)) {
      const problem = await register(served, settings);
      if (problem === null) return log.info({ url: `${env.appUrl}${PATH}` }, "jobs are registered with Inngest");
      const details = { problem: redact(problem, secrets), nextTryInSeconds: wait / SECOND };
      log.warn(details, "jobs could not be registered with Inngest");
      await sleep(wait);
    }
  }

  return {
    served,
    requestRenewal: (niche) => sendRenewal(client, niche),
    start: async () => void registerWithRetry(),
    stop: async () => {
      isStopped = true;
    },
  };
}

const fetchWithTimeout: typeof fetch = (url, init) =>
  fetch(url, { ...init, redirect: "manual", signal: init?.signal ?? AbortSignal.timeout(TIMEOUT) });

function getClientOptions(settings: InngestEnv) {
  const baseUrl = settings.baseUrl ?? undefined;
  if (settings.kind === "inngest-dev") return { isDev: true, baseUrl };
  return { isDev: false, baseUrl, signingKey: settings.signingKey, eventKey: settings.eventKey };
}

async function register(served: ServedJobs, settings: InngestEnv): Promise<string | null> {
  try {
    const request =
      settings.kind === "inngest"
        ? createSignedRequest("PUT", {}, settings.signingKey)
        : new Request(`http://localhost${PATH}`, { method: "PUT", body: "{}" });
    const answer = await served.PUT(request, undefined);
    return answer.ok ? null : await answer.text();
  } catch (error) {
    return getErrorMessage(error);
  }
}
