import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import next from "next";
import { type OpenedDatabase, openDatabase } from "@/core/db/open";
import { provideEnv } from "@/core/env";
import { OperatorError } from "@/core/errors";
import { createLog } from "@/core/log";
import { loadEnv, runCommand } from "./command";
import { announceDemo, prepareDemo } from "./demo";

/** Requests under way when the service is told to stop have this long to finish. */
const DRAIN_MS = 10_000;

/**
 * The launcher of `npm run dev` and `npm start`: database, migrations and Next in one process, so that nothing but
 * what is stored outlives it.
 */
async function serve(mode: "development" | "production"): Promise<void> {
  provideEnv({ NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: "1" });
  const dev = mode === "development";
  const env = loadEnv(dev);
  const log = createLog({ level: env.logLevel });
  if (!dev && !existsSync(".next/BUILD_ID"))
    throw new OperatorError("There is no build yet; run `npm run build` first");

  const server = createServer();
  server.on("request", answerStarting);
  await listen(server, env.port);
  stopOnSignal(async () => {
    await drain(server);
    await app?.close();
    await database?.close();
    log.info("stopped");
  });

  let database: OpenedDatabase | undefined;
  let app: ReturnType<typeof next> | undefined;
  let demoKey: string | undefined;
  try {
    database = await openDatabase(env, "app", log);
    if (env.database.kind === "embedded") provideEnv({ EMBEDDED_DATABASE_URL: database.url });
    if (dev) demoKey = await prepareDemo(env, { db: database.db, log });
    app = next({ dev, hostname: "localhost", port: env.port, httpServer: server });
    await app.prepare();
  } catch (error) {
    await database?.close();
    server.close();
    throw error;
  }
  server.off("request", answerStarting);
  const handle = app.getRequestHandler();
  server.on("request", (request, response) => {
    keepUnderApi(request);
    void handle(request, response);
  });
  log.info({ mode, url: env.appUrl }, "ready");
  if (demoKey) announceDemo(env, demoKey);
}

/** Until the service can serve, it says so. */
const answerStarting: RequestListener = (_request, response) => {
  response.writeHead(503, { "Content-Type": "application/json; charset=utf-8", "Retry-After": "1" });
  response.end(JSON.stringify({ error: "The service is starting; please try again" }));
};

/**
 * Requests under /api that Next would answer by itself, in HTML or with a redirect, go to the API's own handlers: an
 * odd path as an unknown one, an odd method as one that no path has.
 */
function keepUnderApi(request: IncomingMessage): void {
  const [path = ""] = (request.url ?? "").split("?");
  if (!/^\/api(\/|$)/.test(path)) return;
  if (!NEXT_METHODS.has(request.method ?? "")) request.method = "OPTIONS";
  if (path.includes("//") || path.includes("\\") || !isDecodable(path)) request.url = "/api/unknown";
}

const NEXT_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
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

/** Takes no new connections and waits for the requests under way, though not for ever. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(impatience);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

await runCommand(() => serve(process.argv[2] === "dev" ? "development" : "production"));
