import { type LogFn, type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { getErrorMessage, getStackFrames } from "@/core/errors";
import { systemClock } from "@/core/time";

export type Log = Logger;

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

interface LogOptions {
  level: (typeof LOG_LEVELS)[number];
  /** Commands write their result to stdout and log to stderr. */
  to?: "stdout" | "stderr";
  /** Writes lines together. Not for serverless hosts, which freeze a process between requests. */
  buffer?: boolean;
}

/** A structured logger: readable lines in a terminal, one JSON object per line elsewhere. */
export function createLog({ level, to = "stdout", buffer = false }: LogOptions): Log {
  const { fd, isTTY } = process[to];
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${systemClock.now().toISOString()}"`,
    serializers: { err: describeError },
  };
  if (isTTY) {
    const terminal = { destination: fd, sync: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss" };
    return pino({ ...options, hooks: { logMethod: shortenRequest } }, pretty({ ...terminal, singleLine: true }));
  }
  const buffering = buffer ? { minLength: 4096, periodicFlush: 100 } : {};
  const destination = pino.destination({ fd, sync: true, ...buffering });
  if (buffer) process.once("exit", () => destination.flushSync());
  return pino(options, destination);
}

/** In a terminal, a request is one short line: `GET /api/usage 200 5 ms`. */
function shortenRequest(this: Log, line: Parameters<LogFn>, log: LogFn): void {
  const { method, path, status, ms } = Object(line[0]);
  const took = ms === undefined ? "" : ` ${Math.round(ms)} ms`;
  const isRequest = line[1] === "request" || line[1] === "page";
  log.apply(this, isRequest ? [`${method} ${path} ${status}${took}`] : line);
}

function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: getErrorMessage(error) };
  return { type: error.name, message: getErrorMessage(error), stack: getStackFrames(error) };
}
