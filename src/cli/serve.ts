import "./mode";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { openDatabase } from "@/core/db/open";
import { type Env, provideEnv } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { DATABASE_RETRY_SECONDS } from "@/core/http/failure";
import { REQUEST_ID_HEADER } from "@/core/http/request-id";
import { isLocal } from "@/core/http/url";
import { createLog, type Log } from "@/core/log/log";
import { SECOND, sleep, systemClock } from "@/core/time";
import { appContext } from "@/server/context";
import { openApi } from "./api";
import { loadEnv, onSignal, runCommand } from "./command";
import { announceDemo, prepareDemo, retireDemo } from "./demo";
import { closeSilentConnections, openHttpServer, sendError } from "./http";
import { MODE } from "./mode";

/** Requests in flight when the service is told to stop have this long: container hosts kill after 10 s. */
const DRAIN_DEADLINE = 7 * SECOND;
/** Jobs, and writing what was counted, may take this long, from the same instant. */
const STOP_DEADLINE = 8 * SECOND;
/** After this the process ends with code 1, whatever it waits for. */
const HARD_DEADLINE = 9.5 * SECOND;

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
  const http = await openHttpServer(env.port, env.trustedProxies, log);
  closers.push(async () => http.server.close());
  const database = await openDatabase(env, "app", log);
  closers.push(database.close);
  if (env.database.kind === "embedded") provideEnv({ EMBEDDED_DATABASE_URL: database.url });
  // Never in a hosted database, nor among readings of a real platform.
  const demo = dev && env.database.kind === "embedded" && env.platform.kind === "sample";
  const demoKey = demo ? await prepareDemo(env, { db: database.db, log }) : null;
  if (!dev) await retireDemo(env, { db: database.db, log, clock: systemClock });

  // React chooses its build when it is first loaded, by the mode that is set above.
  const { default: next } = await import("next");
  // In production Next is given a server of its own, so that it takes over no connection that asks for an upgrade.
  const httpServer = dev ? http.server : createServer();
  const app = next({ dev, hostname: "localhost", port: env.port, httpServer });
  await app.prepare();
  const stop = () => appContext().stop(http.stop(DRAIN_DEADLINE));
  closers.push(
    () => app.close(),
    () => Promise.race([stop(), sleep(STOP_DEADLINE)]),
  );

  const handle = app.getRequestHandler();
  const byNext: RequestListener = (request, response) => {
    if (!dev && request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return sendError(response, 405, "The method must be one of GET, HEAD");
    }
    answerUnavailable(request, response);
    handle(request, response).catch((error) => {
      log.error({ err: error }, "a page failed");
      response.destroy();
    });
  };
  // In development Next compiles the route files when they change.
  http.serve({ page: byNext, api: dev ? byNext : await openApi(API, log) });
  if (!dev) closeSilentConnections(http.server);
  log.info({ mode: env.mode, url: env.appUrl }, "ready");
  if (demoKey) announceDemo(env, demoKey);
}

/** Answers 503 in place of Next's 500 where a page failed because the database is away. */
function answerUnavailable({ headers }: IncomingMessage, response: ServerResponse): void {
  const { unavailablePages } = appContext();
  const requestId = String(headers[REQUEST_ID_HEADER]);
  const { writeHead } = response;
  response.writeHead = (status: number, ...more: unknown[]): ServerResponse => {
    const isAway = unavailablePages.delete(requestId) && status === 500;
    if (isAway) response.setHeader("Retry-After", String(DATABASE_RETRY_SECONDS));
    return Reflect.apply(writeHead, response, [isAway ? 503 : status, ...more]);
  };
  response.once("close", () => unavailablePages.delete(requestId));
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
      log.error(`the stop took longer than ${HARD_DEADLINE / SECOND} s`);
      process.exit(1);
    }, HARD_DEADLINE);
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}

await runCommand(serve);
// A start that failed leaves nothing running.
if (process.exitCode) process.exit();
