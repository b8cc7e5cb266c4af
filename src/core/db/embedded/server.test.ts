import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OperatorError } from "@/core/errors";
import { createLog } from "@/core/log/log";
import { findServer } from "./cluster";
import { type EmbeddedRole, type EmbeddedServer, openEmbedded } from "./server";

const log = createLog({ level: "silent" });
/** Whom the server runs as when the tests run as root, which PostgreSQL refuses. */
const serverUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

describe("the embedded PostgreSQL", { timeout: 90_000 }, () => {
  let folder: string;
  let home: string;
  let opened: EmbeddedServer[];
  let children: ChildProcess[];

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "creator-growth-embedded-")));
    home = path.join(folder, "postgres");
    opened = [];
    children = [];
  });

  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    for (const server of opened) await server.close();
    const orphan = await running();
    if (orphan) process.kill(orphan.pid, "SIGQUIT");
    await until(async () => (await running()) === null);
    await rm(folder, { recursive: true, force: true });
  });

  const running = () => findServer({ home, password: "" });
  const until = (condition: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 30_000, interval: 20 });

  async function open(role: EmbeddedRole = "command"): Promise<EmbeddedServer> {
    const server = await openEmbedded(folder, role, log);
    opened.push(server);
    return server;
  }

  /** Another process that uses the server; resolves once it does. */
  async function openElsewhere(role: EmbeddedRole): Promise<{ url: string; child: ChildProcess }> {
    const args = ["--import", "tsx", "src/test/embedded-user.ts", folder, role];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    children.push(child);
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the other process ended")));
    const [url] = await Promise.race([once(child, "message"), ended]);
    return { url, child };
  }

  async function ask(url: string, statement: string): Promise<postgres.Row[]> {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await client.unsafe(statement);
    } finally {
      await client.end();
    }
  }

  const store = (url: string) => ask(url, "create table kept as select 42 as answer");
  const expectStored = async (url: string) =>
    expect(await ask(url, "select answer from kept")).toMatchObject([{ answer: 42 }]);

  const pidFile = () => path.join(home, "data", "postmaster.pid");

  /** Kills user and server as a power cut would; the pid file stays behind. */
  async function killBoth(child: ChildProcess): Promise<void> {
    child.kill("SIGKILL");
    await once(child, "exit");
    await killServer();
    await untilDeserted();
  }

  async function killServer(): Promise<void> {
    const server = await running();
    if (server) process.kill(server.pid, "SIGKILL");
    await until(async () => (await running())?.pid !== server?.pid);
  }

  /** Resolves once the sessions of a killed server are gone too: for a moment they outlive it. */
  const untilDeserted = () =>
    until(async () => {
      const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
      const folders = processes.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => null));
      return !(await Promise.all(folders)).includes(path.join(home, "data"));
    });

  it("is made by the first start, for this machine and this user alone", async () => {
    const { url } = await open();
    const [row] = await ask(
      url,
      `select current_database() as name, current_setting('listen_addresses') as listens,
        current_setting('unix_socket_directories') as sockets, current_setting('TimeZone') as zone,
        current_setting('server_encoding') as encoding`,
    );
    expect(row).toEqual({
      name: "creator_growth",
      listens: "127.0.0.1",
      sockets: "",
      zone: "UTC",
      encoding: "UTF8",
    });
    const mode = async (...names: string[]) => (await stat(path.join(home, ...names))).mode & 0o777;
    expect([await mode("password"), await mode("data")]).toEqual([0o600, 0o700]);
    const { password } = new URL(url);
    expect(password).toMatch(/^[\w-]{32}$/);
    await expect(ask(url.replace(password, "wrong"), "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("is stopped by its last user and keeps its data", async () => {
    const first = await open();
    await store(first.url);
    await first.close();
    expect(await running()).toBeNull();
    await expectStored((await open()).url);
  });

  it("is shared by commands and the app, and stopped by the last one out in whatever order they go", async () => {
    const users = [await open("command"), await open("app"), await open("command")];
    const elsewhere = await openElsewhere("command");
    const server = await running();
    expect(new Set([...users, elsewhere].map(({ url }) => url)).size).toBe(1);
    await users[1]?.close();
    elsewhere.child.send("close");
    await once(elsewhere.child, "exit");
    expect(await running()).toEqual(server);
    await Promise.all([users[0]?.close(), users[2]?.close()]);
    expect(await running()).toBeNull();
  });

  it("is one cluster after three first starts at once", async () => {
    const users = await Promise.all([
      openElsewhere("command"),
      openElsewhere("app"),
      openElsewhere("command"),
    ]);
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);
    expect(await readdir(folder)).toEqual(["postgres"]);
    await store(users[0].url);
    await expectStored(users[2].url);
    for (const { child } of users) child.send("close");
    await Promise.all(users.map(({ child }) => once(child, "exit")));
    expect(await running()).toBeNull();
  });

  it("refuses a second app with one sentence for the operator, and goes on with the first", async () => {
    const first = await openElsewhere("app");
    const refusal = await open("app").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OperatorError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(/another instance.*DATA_DIR/i) });
    expect(await ask(first.url, "select 1 as one")).toMatchObject([{ one: 1 }]);
    first.child.send("close");
    await once(first.child, "exit");
    await open("app");
  });

  it("outlives an app that is killed, and is adopted by the next start with all that was committed", async () => {
    const { url, child } = await openElsewhere("app");
    await store(url);
    child.kill("SIGKILL");
    await once(child, "exit");
    const orphan = await running();
    expect(orphan).toMatchObject({ ready: true });
    const adopted = await open("app");
    expect(adopted.url).toBe(url);
    expect(await running()).toEqual(orphan);
    await expectStored(url);
    await adopted.close();
    expect(await running()).toBeNull();
  });

  it("starts over a pid file whose number now belongs to another process, and lets that one live", async () => {
    const { url, child } = await openElsewhere("app");
    await store(url);
    await killBoth(child);
    const stranger = spawn("sleep", ["600"], { stdio: "ignore", ...serverUser });
    children.push(stranger);
    const stale = await readFile(pidFile(), "utf8");
    await writeFile(pidFile(), stale.replace(/^\d+/, String(stranger.pid)));
    expect(await running()).toBeNull();
    await expectStored((await open("app")).url);
    expect((await running())?.pid).not.toBe(stranger.pid);
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  });

  it("that is killed under a running app is started again at the same address", async () => {
    const { url, child } = await openElsewhere("app");
    await store(url);
    await killServer();
    await until(async () => (await running())?.ready === true);
    await expectStored(url);
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });

  it("comes back at its address when the first tries of a start find what is left of the killed one", async () => {
    const { url, child } = await openElsewhere("app");
    const session = postgres(url, { max: 1, onclose: () => {} });
    const [backend] = await session`select pg_backend_pid() as pid`;
    process.kill(Number(backend?.pid), "SIGSTOP");
    child.kill("SIGKILL");
    await once(child, "exit");
    await killServer();
    const again = open("app");
    await until(async () => (await readFile(path.join(home, "server.log"), "utf8")).includes("still in use"));
    process.kill(Number(backend?.pid), "SIGCONT");
    expect((await again).url).toBe(url);
    await session.end({ timeout: 0 });
  });

  it("takes another port when a stranger has its own", async () => {
    const { url, child } = await openElsewhere("app");
    await store(url);
    await killBoth(child);
    const stranger = createServer().listen(Number(new URL(url).port), "127.0.0.1");
    await once(stranger, "listening");
    const again = await open("app");
    expect(again.url).not.toBe(url);
    await expectStored(again.url);
    stranger.close();
  });

  it("that is killed under a command lets the command close", async () => {
    const { child } = await openElsewhere("command");
    await killServer();
    await untilDeserted();
    child.send("close");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("takes no half-made cluster for a whole one", async () => {
    const draft = path.join(folder, "postgres.0123456789ab", "data");
    await mkdir(draft, { recursive: true });
    await writeFile(path.join(draft, "PG_VERSION"), "18\n");
    await writeFile(path.join(draft, "..", "password"), "half\n");
    const { url } = await open();
    expect(new URL(url).password).not.toBe("half");
    await store(url);
    await expectStored(url);
  });
});
