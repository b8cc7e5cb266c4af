import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import { errorMessage, framesOf } from "@/core/errors";
import { isoTime, systemClock } from "@/core/time";

export type Log = Logger;

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LogOptions {
  level: LogLevel;
  /** Commands keep stdout for their result and log to stderr. */
  to?: "stdout" | "stderr";
  /** Whether lines are written some at once, a moment later: not where a process may be frozen once it has answered. */
  gather?: boolean;
}

/** Characters up to which lines are gathered. */
const GATHERED = 4096;
/** After so many milliseconds they are written at any rate, and what could not be written is tried again. */
const FLUSH_MS = 100;
/** Bytes that wait for a destination that takes none, such as a file on a full disk; what comes on top is lost. */
const MOST_UNWRITTEN = 1024 * 1024;

/** A structured logger: readable lines in a terminal, one JSON object a line elsewhere. */
export function createLog({ level, to = "stdout", gather = false }: LogOptions): Log {
  const stream = process[to];
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${isoTime(systemClock.now())}"`,
    serializers: { err: describeError },
  };
  if (stream.isTTY) {
    const terminal = { destination: stream.fd, sync: true, ignore: "pid,hostname" };
    return pino(options, pretty({ ...terminal, translateTime: "SYS:HH:MM:ss" }));
  }
  const { fd } = stream;
  const destination = pino.destination({
    fd,
    sync: true,
    minLength: gather ? GATHERED : 1,
    maxLength: MOST_UNWRITTEN,
    periodicFlush: FLUSH_MS,
  });
  const isWorking = surviveFailures(destination, fd);
  if (gather)
    process.once("exit", () => {
      destination.flush();
      // It would try for ever.
      if (isWorking()) destination.flushSync();
    });
  return pino(options, destination);
}

function ignore(): void {}

/** Lets work go on where its lines cannot be written, and says so in the one place that is left. @returns whether they can */
function surviveFailures(destination: ReturnType<typeof pino.destination>, fd: number): () => boolean {
  let isWorking = true;
  // Whose own reader may have left; once, however many logs there are.
  process.stderr.off("error", ignore).on("error", ignore);
  destination.on("write", () => {
    isWorking = true;
  });
  destination.on("error", (error) => {
    if (isWorking && fd !== process.stderr.fd)
      process.stderr.write(`the log cannot be written: ${errorMessage(error)}\n`);
    isWorking = false;
  });
  return () => isWorking;
}

/** An error without what its message or fields may hold of parameters. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: errorMessage(error) };
  return { type: error.name, message: errorMessage(error), stack: framesOf(error) };
}
