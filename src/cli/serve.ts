import "./mode";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { openDatabase } from "@/core/db/open";
import { type Env, provideEnv } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { addressMatcher } from "@/core/http/client-address";
import { isLocal } from "@/core/http/url";
import { createLog, type Log } from "@/core/log/log";
import { SECOND, sleep, systemClock } from "@/core/time";
import { appContext } from "@/server/context";
import { createApi } from "./api";
import { loadEnv, onSignal, runCommand } from "./command";
import { announceDemo, prepareDemo, retireDemo } from "./demo";
import { createHttp, followPage, isUnderApi, setClientAddress } from "./http";
import { MODE } from "./mode";

/** Container hosts kill 10 s after SIGTERM: requests, then jobs and usage, then the whole stop end before that. */
const ANSWER_MS = 6_000;
const STOP_PARTS_MS = 2_000;
const LONGEST_STOP_MS = 9_500;

/** Compiled route files. */
const API = "dist/app/api";
const BUILDS = [".next/BUILD_ID", "dist/cli/serve.js"];

/** Ends parts of the service, the last started first. */
type Closers = (() => Promise<unknown>)[];

/**
 * The launcher of `npm run dev` and `npm start`: database, migrations and Next in one process, so that nothing but
 * what is stored outlives it.
 */
async function serve(): Promise<void> {
  const dev = MODE === "development";
  const env = loadEnv(dev);
  const log = createLog({ level: env.logLevel });
  if (!dev) requireBuild();
  if (!dev && env.email.kind === "resend" && isLocal(env.appUrl))
    log.warn({ url: env.appUrl }, "mails link to an address that others do not reach: set APP_URL");

  // A closed log must not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const closers: Closers = [];
  const starting = start(env, log, dev, closers);
  stopOnSignal(log, async () => {
    await starting.catch(() => {});
    await closeAll(closers, log);
    log.info("stopped");
  });
  await starting.catch(async (error) => {
    await closeAll(closers, log);
    throw error;
  });
}

async function start(env: Env, log: Log, dev: boolean, closers: Closers): Promise<void> {
  const http = createHttp();
  await http.listen(env.port);
  closers.push(() => http.stop(ANSWER_MS));
  const database = await openDatabase(env, "app", log);
  closers.push(database.close);
  if (env.database.kind === "embedded") provideEnv({ EMBEDDED_DATABASE_URL: database.url });
  // Never in a hosted database, nor among readings of a real platform.
  const demo = dev && env.database.kind === "embedded" && env.platform.kind === "sample";
  const demoKey = demo ? await prepareDemo(env, { db: database.db, log }) : null;
  if (!dev) await retireDemo(env, { db: database.db, log, clock: systemClock });

  // React chooses its build when it is first loaded, by the mode that is set above.
  const { default: next } = await import("next");
  // Next takes over WebSocket connections of the server it is given; only its development mode needs them.
  const app = next({
    dev,
    hostname: "localhost",
    port: env.port,
    httpServer: dev ? http.server : createServer(),
  });
  await app.prepare();
  closers.push(
    () => app.close(),
    () => Promise.race([appContext().stop(), sleep(STOP_PARTS_MS)]),
    () => http.stop(ANSWER_MS),
  );

  const isTrusted = addressMatcher(env.trustedProxies);
  const pages = app.getRequestHandler();
  // In development Next compiles the route files again when they change.
  const api = dev ? null : await createApi(API, log);
  const { unavailablePages: unavailable } = appContext();
  http.serve((request, response) => {
    setClientAddress(request, isTrusted);
    if (isUnderApi(request)) {
      if (api) return api(request, response);
    } else followPage(request, response, { log, unavailable });
    pages(request, response).catch((error) => {
      log.error({ err: error }, "Next could not answer a request");
      response.destroy();
    });
  });
  log.info({ mode: env.mode, url: env.appUrl }, "ready");
  if (demoKey) announceDemo(env, demoKey);
}

/** Pages and API are served from one build, which must be as new as the sources where those are there. */
function requireBuild(): void {
  if (!BUILDS.every((file) => existsSync(file)))
    throw new OperatorError("There is no build yet; run `npm run build` first");
  const builtAt = Math.min(...BUILDS.map((file) => statSync(file).mtimeMs));
  const sources = existsSync("src") ? readdirSync("src", { recursive: true, encoding: "utf8" }) : [];
  const isNewer = (file: string) =>
    /(?<!\.test)\.tsx?$/.test(file) && statSync(`src/${file}`).mtimeMs > builtAt;
  if (sources.some(isNewer))
    throw new OperatorError("The build is older than the sources; run `npm run build` again");
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop())
    await close().catch((error) => log.error({ err: error }, "a part did not stop cleanly"));
}

/** Ends the process after a signal, at the latest when the host would kill it. */
function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  onSignal(() => {
    setTimeout(() => {
      log.error(`the stop was given up after ${LONGEST_STOP_MS / SECOND} s`);
      process.exit(1);
    }, LONGEST_STOP_MS);
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}

await runCommand(serve);
// A start that failed leaves nothing running.
if (process.exitCode) process.exit();
