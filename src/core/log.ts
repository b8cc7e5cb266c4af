import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { errorMessage } from "@/core/errors";

export type Log = Logger;

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LogOptions {
  level: LogLevel;
  /** Commands keep stdout for their result and log to stderr. */
  to?: "stdout" | "stderr";
}

/** A structured logger: readable lines in a terminal, one JSON object a line elsewhere. */
export function createLog({ level, to = "stdout" }: LogOptions): Log {
  const stream = process[to];
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return stream.isTTY
    ? pino(
        options,
        pretty({ destination: stream.fd, sync: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss" }),
      )
    : pino(options, pino.destination({ fd: stream.fd, sync: true }));
}

/** An error without what its message or fields may hold of parameters. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: errorMessage(error) };
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  return { type: error.name, message: errorMessage(error), stack: frames?.join("\n") };
}
