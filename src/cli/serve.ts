import "./mode";
import { existsSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import module from "node:module";
import compression from "compression";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants.js";
import { type Env, provideEnv, readEnv } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { isLocal } from "@/core/http/url";
import { createLog, type Log } from "@/core/log/log";
import { SECOND, sleep, systemClock } from "@/core/time";
import { openDatabase } from "@/db/open";
import { countKeys } from "@/features/keys/service";
import { announceLaunch, getAppContext } from "@/server/context";
import { openApi } from "./api";
import { handleSignals, loadEnv, runCommand } from "./command";
import { describeDemo, hasDemoData, openDemoKey, retireDemo } from "./demo";
import { type HttpServer, openHttpServer } from "./http";
import { MODE } from "./mode";
import { servePages } from "./pages";
import { forgetPort, storePort } from "./port";
import { createSteps, NO_STEPS, type Steps } from "./steps";

/** After SIGTERM, requests in flight have this long. Container hosts kill after 10 s. */
const REQUESTS_DEADLINE = 7 * SECOND;
/** Jobs and writes from memory have this long, from the same moment. */
const STOP_DEADLINE = 8 * SECOND;
/** After this the process ends with code 1. */
const HARD_DEADLINE = 9.5 * SECOND;

/** What is served while the sample data is prepared: the home page, the guides and what they load. */
const SERVED_EARLY = /^\/($|\?|docs|_next\/|__nextjs|icon\.svg)/;
/** Compiled route files. */
const API = "dist/app";
const BUILDS = [".next/BUILD_ID", "dist/cli/serve.js"];
const isDev = MODE === "development";

/** Ends parts of the service, the last started first. */
type Closers = (() => Promise<unknown>)[];

/** The launcher of `npm run dev` and `npm start`: database, migrations, API and Next in one process. */
async function serve(): Promise<void> {
  const env = loadEnv(isDev);
  const log = createLog({ level: env.logLevel });
  if (!isDev && !BUILDS.every((file) => existsSync(file)))
    throw new OperatorError("There is no build. Run `npm run build` first.");
  if (!isDev && env.email.kind === "resend" && isLocal(env.appUrl))
    log.warn({ url: env.appUrl }, "links in emails lead to this machine only; set APP_URL");

  // A closed log does not end the service.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const closers: Closers = [];
  const steps = isDev || process.stdout.isTTY ? createSteps() : NO_STEPS;
  const starting = start(env, log, closers, steps);
  handleSignals(() => {
    setTimeout(() => {
      log.error(`the stop took longer than ${HARD_DEADLINE / SECOND} s`);
      process.exit(1);
    }, HARD_DEADLINE);
    starting
      .catch(() => {})
      .then(() => closeAll(closers, log))
      .then(() => log.info("stopped"))
      .then(() => process.exit(0));
  });
  await starting.catch(async (error) => {
    await closeAll(closers, log);
    throw error;
  });
}

async function start(env: Env, log: Log, closers: Closers, steps: Steps): Promise<void> {
  const http = await openHttpServer({ ...env, log });
  closers.push(async () => http.server.close());
  steps.begin(env.database.kind === "embedded" ? "Starting PostgreSQL and the pages…" : "Connecting to PostgreSQL…");
  const opening = openForService(env, log, closers);
  announceLaunch();
  // The service needs what the database's opening added to the environment.
  const service = opening.then(async () => (await import("@/server/start")).openLasting(readEnv()));
  let isFilled = false;
  const starting = startNext(env, log, { http, service, closers }, (url) =>
    isFilled || SERVED_EARLY.test(url) ? undefined : "The sample data is being prepared",
  );
  const [{ ctx, demo }, jobs] = await Promise.all([opening, service, starting]);
  if (isDev) await compileHome(env, steps);
  if (demo && !hasDemoData(env)) await (await import("./demo-data")).makeDemoData(env, ctx, demo, steps);
  isFilled = true;
  // Not before: jobs would run between the days of the sample data.
  void jobs.start();
  storePort(env.dataDir, env.port, log);
  closers.push(async () => forgetPort(env.dataDir));
  // The service's log holds lines back for a moment: these come after those of its start.
  const { log: serviceLog } = getAppContext();
  if (steps === NO_STEPS) serviceLog.info({ mode: env.mode, url: env.appUrl }, "ready");
  steps.end(demo && isDev ? describeDemo(env, demo.secret) : `Running at ${env.appUrl}`);
  const keys = (await countKeys(ctx)).reduce((total, { active }) => total + active, 0);
  if (keys === (demo ? 1 : 0) && !isDev) serviceLog.info("no key exists; issue one: npm run keys -- issue --tier free");
}

/** Requests the home page, which Next compiles when it is first requested: before the sample data need the processor. */
async function compileHome({ port }: Env, steps: Steps): Promise<void> {
  steps.begin("Compiling the first page…");
  // With another HOST, the first reader waits for it.
  await fetch(`http://localhost:${port}/`)
    .then((page) => page.text())
    .catch(() => {});
}

/** Opens the database, and the demo's key where there is a demo. */
async function openForService(env: Env, log: Log, closers: Closers) {
  const { db, url, close } = await openDatabase(env, "app", log);
  closers.push(close);
  const isEmbedded = env.database.kind === "embedded";
  if (isEmbedded) provideEnv({ EMBEDDED_DATABASE_URL: url });
  const ctx = { db, log, clock: systemClock };
  // Never in a hosted database, nor beside data of a real platform.
  const hasDemo = (isDev || env.hasDemo) && isEmbedded && env.platform.kind === "sample";
  const demo = hasDemo ? await openDemoKey(env, ctx) : null;
  if (demo) provideEnv({ DEMO_KEY_ID: demo.id });
  else if (!isDev) await retireDemo(env, ctx);
  return { ctx, demo };
}

/** React chooses its build when it is first loaded, by the mode that is set above. */
async function loadNext() {
  const { default: next } = await import("next");
  type Config = typeof import("next/dist/server/config");
  const { default: loadConfig }: Config = module.createRequire(import.meta.url)("next/dist/server/config");
  // Next prints how long its configuration took, unless it is already loaded.
  await loadConfig(isDev ? PHASE_DEVELOPMENT_SERVER : PHASE_PRODUCTION_SERVER, process.cwd());
  return next;
}

interface Parts {
  http: HttpServer;
  /** Resolves once the service can answer. */
  service: Promise<unknown>;
  closers: Closers;
}

/** Starts Next meanwhile, and then serves. */
async function startNext(
  env: Env,
  log: Log,
  { http, service, closers }: Parts,
  findDelay: (url: string) => string | undefined,
): Promise<void> {
  const [next, api] = await Promise.all([loadNext(), isDev ? null : openApi(API, log)]);
  // In production Next gets a server that never listens, so it cannot take over upgraded connections.
  const httpServer = isDev ? http.server : createServer();
  const app = next({ dev: isDev, hostname: "localhost", port: env.port, httpServer });
  await Promise.all([app.prepare(), service]);
  const stop = () => getAppContext().stop(http.stop(REQUESTS_DEADLINE));
  closers.push(
    () => app.close(),
    () => Promise.race([stop(), sleep(STOP_DEADLINE)]),
  );
  const handle = app.getRequestHandler();
  // In development Next compiles the route files when they change.
  const handleByNext: RequestListener = (request, response) => void handle(request, response);
  const page = servePages(handle, log, isDev);
  // Next does not support Brotli. The library is typed for Express but accepts Node's request and response.
  const compress = compression();
  const handleCompressed: RequestListener = (request, response) =>
    Reflect.apply(compress, undefined, [request, response, () => page(request, response)]);
  http.serve({
    findDelay,
    page: handleCompressed,
    api: api ?? handleByNext,
    recordRefusal: () => getAppContext().limits.recordRefusal("connection"),
  });
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop())
    await close().catch((error) => log.error({ err: error }, "a part did not stop cleanly"));
}

await runCommand(serve);
// A failed start leaves nothing running.
if (process.exitCode) process.exit();
