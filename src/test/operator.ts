import { spawn } from "node:child_process";
import { once } from "node:events";

/** The exit code and output of a command. */
export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of `src/cli` in its own process, with only these environment variables.
 * @param onStart gets the id of the process
 */
export async function runCli(
  command: string,
  words: readonly string[],
  variables: Record<string, string>,
  onStart: (pid: number) => void = () => {},
): Promise<CommandEnd> {
  const child = spawn(process.execPath, ["--import", "tsx", `src/cli/${command}.ts`, ...words], {
    env: { NODE_ENV: "test", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (child.pid) onStart(child.pid);
  const written = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      written[stream] += text;
    });
  const [code] = await once(child, "close");
  return { code, ...written };
}
