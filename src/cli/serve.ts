import "./mode";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import next from "next";
import { openDatabase } from "@/core/db/open";
import { type Env, provideEnv } from "@/core/env";
import { isUnavailable, OperatorError } from "@/core/errors";
import { addressGroup, addressMatcher, CLIENT_ADDRESS_HEADER } from "@/core/http/client-address";
import type { Gate } from "@/core/http/gate";
import { isLocal } from "@/core/http/url";
import { createLog, type Log } from "@/core/log/log";
import { SECOND, sleep, systemClock } from "@/core/time";
import { appContext } from "@/server/context";
import { sessionCookieOf } from "@/server/session";
import { loadEnv, onSignal, runCommand } from "./command";
import { announceDemo, prepareDemo, retireDemo } from "./demo";
import { type Draining, prepareDrain } from "./drain";
import {
  answerBusy,
  answeredAsNoPage,
  answerStarting,
  answerStopping,
  answerUnavailable,
  answerUnreadable,
  CUT_OFF,
  compressFew,
  endIfUnread,
  followPage,
  IDLE,
  isBuiltFile,
  isUnderApi,
  keepAnswerable,
  keepUnderApi,
  mostConnections,
  readTarget,
  SILENCE_MS,
  STOPPING,
  takeInTurn,
  tellClientAddress,
  untilClosed,
} from "./front";
import { openLane } from "./lane";
import { MODE } from "./mode";

/** Requests and jobs under way when the service is told to stop have this long: container hosts kill after 10 s. */
const PATIENCE_MS = 7_000;
/** And whatever a stop waits for, such as a database that hangs, is given up then. */
const LONGEST_STOP_MS = 9_500;

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

  // What Next has to say may be lost, where nobody takes it.
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
  const server = createServer({ ...CUT_OFF, ...IDLE });
  // Node would drop those beyond a thousand without a word; all that it reads are bounded by their 16 KiB.
  server.maxHeadersCount = 0;
  const most = await mostConnections();
  if (most !== undefined) server.maxConnections = most;
  const draining = prepareDrain(server);
  server.on("request", answerStarting);
  await listen(server, env.port);
  closers.push(async () => server.close());
  const database = await openDatabase(env, "app", log);
  closers.push(database.close);
  if (env.database.kind === "embedded") provideEnv({ EMBEDDED_DATABASE_URL: database.url });
  // Never in a database of somebody else, nor among readings of a real platform.
  const demo = dev && env.database.kind === "embedded" && env.platform.kind === "sample";
  const demoKey = demo ? await prepareDemo(env, { db: database.db, log }) : null;
  if (!dev) await retireDemo(env, { db: database.db, log, clock: systemClock });

  // Next takes over every connection of its server that asks for another protocol, and holds what is not its own
  // development's for ever. In production it is given a server to which nobody connects.
  const app = next({ dev, hostname: "localhost", port: env.port, httpServer: dev ? server : createServer() });
  await app.prepare();
  closers.push(
    () => app.close(),
    () => Promise.race([appContext().stop(answered(draining, appContext().gate)), sleep(PATIENCE_MS)]),
  );

  const isTrusted = addressMatcher(env.trustedProxies);
  const handle = app.getRequestHandler();
  // In development Next compiles the route files anew when they change.
  const lane = dev ? null : await openLane(log);
  if (!dev) server.setTimeout(SILENCE_MS);
  server.off("request", answerStarting);
  const handOn = (request: IncomingMessage, response: ServerResponse) => {
    if (!readTarget(request)) return answerUnreadable(request, response);
    tellClientAddress(request, isTrusted);
    endIfUnread(request, response);
    if (isUnderApi(request)) {
      keepUnderApi(request);
      if (lane) return lane(request, response);
    } else if (!dev && answeredAsNoPage(request, response)) return;
    else followPage(request, response, log);
    keepAnswerable(request);
    const isFile = isBuiltFile(request);
    if (isFile) compressFew(request, response);
    const made = dev || isFile ? handle(request, response) : makePage(request, response, handle);
    made.catch((error) => {
      if (isUnavailable(error)) return response.headersSent || answerBusy(response, error);
      log.error({ err: error }, "a request could not be handed on");
      response.destroy();
    });
  };
  server.on("request", (request, response) => takeInTurn(request, response, () => handOn(request, response)));
  log.info({ mode: env.mode, url: env.appUrl }, "ready");
  if (demoKey) announceDemo(env, demoKey);
}

/** A page takes ten times as long as a request of the API, and nothing but the process: few are made at once. */
const PLACES_OF_PAGE = 8;

/** Has a page made when it is its caller's turn, as requests of the API are answered, if its reader is still there. */
async function makePage(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<void> {
  const ctx = appContext();
  const { headers, socket } = request;
  const isAbandoned = () => !socket.writable;
  // Until the process has heard of whoever left right after asking.
  for (let turns = 0; turns < 2; turns++) await setImmediate();
  if (isAbandoned()) return;
  const address = addressGroup(String(headers[CLIENT_ADDRESS_HEADER] ?? ""));
  const claim = sessionCookieOf(ctx, headers.cookie) ?? null;
  const traits = { places: PLACES_OF_PAGE, isPatient: () => response.headersSent, isAbandoned };
  answerUnavailable(request, response, ctx.pages);
  // Next and we listen for its end in more places than Node takes for normal.
  response.setMaxListeners(0);
  return ctx.gate.pass({ claim, address }, () => untilClosed(response, handle(request, response)), traits);
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

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const taken = "code" in error && error.code === "EADDRINUSE";
      reject(taken ? new OperatorError(`Port ${port} is in use; set PORT to another one`) : error);
    });
    server.listen(port, resolve);
  });
}

/**
 * Resolves when all requests are answered: in the end by no more than that the service stops, first those that wait for
 * their turn, and a second later those at work, as the rest of the patience is needed to write down what was counted.
 */
async function answered({ drain, refuse }: Draining, gate: Gate): Promise<void> {
  const drained = drain();
  await Promise.race([drained, sleep(PATIENCE_MS - 2 * SECOND)]);
  gate.close(STOPPING);
  refuse(answerStopping);
  await Promise.race([drained, sleep(SECOND)]);
  gate.giveUp();
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
