import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { inject } from "vitest";

/** A command in its own process. */
export type Command = ReturnType<typeof startCli>;

/** The arguments with which Node runs a program. @param name its file in `src`, such as "test/log-user" */
export function getProgramArgs(name: string, words: readonly string[]): string[] {
  return [path.join(inject("programs"), `${name}.js`), ...words];
}

/** Starts a program of `src/test` in its own process, with a channel for messages. @param env defaults to this process's */
export function startProgram(name: string, words: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, getProgramArgs(`test/${name}`, words), {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Starts a command of `src/cli` with only these environment variables. */
export function startCli(command: string, words: readonly string[], variables: Record<string, string>) {
  const child = spawn(process.execPath, getProgramArgs(`cli/${command}`, words), {
    env: { NODE_ENV: "test", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      written[stream] += text;
    });
  /** The exit code (null when killed) and output. */
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...written }));
  return { process: child, ended };
}

/** Runs a command of `src/cli` to its end. */
export function runCli(...command: Parameters<typeof startCli>): Command["ended"] {
  return startCli(...command).ended;
}
