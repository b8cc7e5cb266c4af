import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { createClient } from "@redis/client";
import { openRedisStandIn } from "./redis-stand-in";

export type Reply = string | number | null | Reply[];

/** A Redis of its own, which begins empty. */
export interface RedisBackend {
  /** @throws Error with Redis's own message */
  run(command: string[]): Promise<Reply>;
  runAtomic(commands: string[][]): Promise<Reply[]>;
  close(): Promise<void>;
}

export const hasRedisServer = !spawnSync("redis-server", ["--version"]).error;

/** Opens the `redis-server` of this machine, or a stand-in where there is none. */
export function openRedis(): Promise<RedisBackend> {
  return hasRedisServer ? openRedisServer() : openRedisStandIn();
}

/** Starts a `redis-server` that keeps nothing on disk and listens on a socket file only. */
export async function openRedisServer(): Promise<RedisBackend> {
  const folder = await mkdtemp(path.join(tmpdir(), "creator-growth-redis-"));
  const socket = path.join(folder, "socket");
  const options = ["--port", "0", "--unixsocket", socket, "--dir", folder, "--save", ""];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => server.kill("SIGKILL");
  process.once("exit", kill);
  await waitForText(server.stdout, /ready to accept connections/i);
  const client = createClient({ socket: { path: socket, tls: false } });
  // What ends the connection also fails the command under way.
  client.on("error", () => {});
  await client.connect();
  return {
    run: (command) => client.sendCommand<Reply>(command),
    async runAtomic(commands) {
      const transaction = client.multi();
      for (const command of commands) transaction.addCommand(command);
      return (await transaction.exec()) as unknown as Reply[];
    },
    async close() {
      client.destroy();
      process.off("exit", kill);
      kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitForText(output: Readable, awaited: RegExp): Promise<void> {
  let text = "";
  for await (const part of output.iterator({ destroyOnReturn: false })) {
    text += part;
    if (awaited.test(text)) return void output.resume();
  }
  throw new Error(`redis-server did not start:\n${text}`);
}
