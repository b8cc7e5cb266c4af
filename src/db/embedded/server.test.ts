import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog } from "@/core/log/log";
import { startProgram } from "@/test/programs";
import { findServer } from "./cluster";
import { type EmbeddedRole, openEmbedded } from "./server";

type EmbeddedServer = Awaited<ReturnType<typeof openEmbedded>>;

const log = createLog({ level: "silent" });

describe("embedded PostgreSQL", { timeout: 90_000 }, () => {
  let folder: string;
  let home: string;
  let opened: EmbeddedServer[];
  let children: ChildProcess[];
  /** A stopped server, which tests copy where the first start is not their subject. */
  let template: string;

  beforeAll(async () => {
    template = await mkdtemp(path.join(tmpdir(), "creator-growth-template-"));
    const server = await openEmbedded(template, "command", log, true);
    // A killed server leaves its writes to the machine, which goes on.
    await query(server.url, "alter system set fsync = off");
    await server.close();
  });

  afterAll(() => rm(template, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), "creator-growth-embedded-")));
    home = path.join(folder, "postgres");
    opened = [];
    children = [];
  });

  afterEach(async () => {
    for (const child of children) child.kill("SIGKILL");
    for (const server of opened) await server.close();
    const orphan = await findRunning();
    if (orphan) process.kill(orphan.pid, "SIGQUIT");
    await waitUntil(async () => (await findRunning()) === null);
    await rm(folder, { recursive: true, force: true });
  });

  const findRunning = () => findServer({ home });
  const waitUntil = (condition: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 30_000, interval: 20 });

  /** PostgreSQL insists on the owner of its folder. */
  const copyTemplate = () => void execFileSync("cp", ["-a", path.join(template, "postgres"), home]);

  async function open(role: EmbeddedRole = "command"): Promise<EmbeddedServer> {
    const server = await openEmbedded(folder, role, log, true);
    opened.push(server);
    return server;
  }

  function startElsewhere(role: EmbeddedRole): ChildProcess {
    const child = startProgram("embedded-user", [folder, role]);
    children.push(child);
    return child;
  }

  /** Uses the server from another process; resolves when that process has it. */
  async function openElsewhere(role: EmbeddedRole): Promise<{ url: string; child: ChildProcess }> {
    const child = startElsewhere(role);
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the other process ended")));
    const [url] = await Promise.race([once(child, "message"), ended]);
    return { url, child };
  }

  async function closeElsewhere(child: ChildProcess): Promise<void> {
    child.send("close");
    expect(await once(child, "exit")).toEqual([0, null]);
  }

  async function kill(child: ChildProcess): Promise<void> {
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async function killServer(): Promise<void> {
    const server = await findRunning();
    if (server) process.kill(server.pid, "SIGKILL");
    await waitUntil(async () => (await findRunning())?.pid !== server?.pid);
  }

  /** The sessions of a killed server end a moment after it. */
  const waitUntilDeserted = () =>
    waitUntil(async () => {
      const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
      const folders = processes.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => null));
      return !(await Promise.all(folders)).includes(path.join(home, "data"));
    });

  async function query(url: string, statement: string): Promise<postgres.Row[]> {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    try {
      return await client.unsafe(statement);
    } finally {
      await client.end();
    }
  }

  const store = (url: string) => query(url, "create table kept as select 42 as answer");
  const expectStored = async (url: string) =>
    expect(await query(url, "select answer from kept")).toMatchObject([{ answer: 42 }]);

  it("listens only on 127.0.0.1, with a generated password in a private file", async () => {
    copyTemplate();
    const { url } = await open();
    const [row] = await query(
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
    const getMode = async (name: string) => (await stat(path.join(home, name))).mode & 0o777;
    expect([await getMode("password"), await getMode("data")]).toEqual([0o600, 0o700]);
    const { password } = new URL(url);
    expect(password).toMatch(/^[\w-]{32}$/);
    await expect(query(url.replace(password, "wrong"), "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("stops with its last user and keeps its data", async () => {
    copyTemplate();
    const first = await open();
    await store(first.url);
    await first.close();
    expect(await findRunning()).toBeNull();
    await expectStored((await open()).url);
  });

  it("is shared by commands and the app, and runs until the last of them closes it", async () => {
    copyTemplate();
    const users = [await open("command"), await open("app"), await open("command")];
    const elsewhere = await openElsewhere("command");
    const server = await findRunning();
    expect(new Set([...users, elsewhere].map(({ url }) => url)).size).toBe(1);
    await users[1]?.close();
    await closeElsewhere(elsewhere.child);
    expect(await findRunning()).toEqual(server);
    await Promise.all([users[0]?.close(), users[2]?.close()]);
    expect(await findRunning()).toBeNull();
  });

  it("creates one cluster for three simultaneous first starts", async () => {
    const users = await Promise.all([openElsewhere("command"), openElsewhere("app"), openElsewhere("command")]);
    expect(new Set(users.map(({ url }) => url)).size).toBe(1);
    expect(await readdir(folder)).toEqual(["postgres"]);
    await Promise.all(users.map(({ child }) => closeElsewhere(child)));
    expect(await findRunning()).toBeNull();
  });

  it("opens after a first start that was killed while creating the cluster", async () => {
    const child = startElsewhere("app");
    await waitUntil(async () => (await readdir(folder)).length > 0);
    await kill(child);
    const { url } = await open("app");
    await store(url);
    await expectStored(url);
  });

  it("refuses a second app with one sentence, and the first keeps running", async () => {
    copyTemplate();
    const first = await openElsewhere("app");
    await expect(open("app")).rejects.toThrow(/Another instance.*DATA_DIR/);
    expect(await query(first.url, "select 1 as one")).toMatchObject([{ one: 1 }]);
    await closeElsewhere(first.child);
    await open("app");
  });

  it("outlives a killed app, and the next start adopts it with its data", async () => {
    copyTemplate();
    const { url, child } = await openElsewhere("app");
    await store(url);
    await kill(child);
    const orphan = await findRunning();
    expect(orphan).not.toBeNull();
    const adopted = await open("app");
    expect(adopted.url).toBe(url);
    expect(await findRunning()).toEqual(orphan);
    await expectStored(url);
    await adopted.close();
    expect(await findRunning()).toBeNull();
  });

  it("starts despite a pid file whose number now belongs to another process", async () => {
    copyTemplate();
    const { url, child } = await openElsewhere("app");
    await store(url);
    await kill(child);
    await killServer();
    await waitUntilDeserted();
    const owner = await stat(home);
    const other = spawn("sleep", ["600"], { stdio: "ignore", uid: owner.uid, gid: owner.gid });
    children.push(other);
    const pidFile = path.join(home, "data", "postmaster.pid");
    await writeFile(pidFile, (await readFile(pidFile, "utf8")).replace(/^\d+/, String(other.pid)));
    expect(await findRunning()).toBeNull();
    await expectStored((await open("app")).url);
    expect(other.exitCode ?? other.signalCode).toBeNull();
  });

  it("restarts at the same address when it is killed under a running app", async () => {
    copyTemplate();
    const { url, child } = await openElsewhere("app");
    await store(url);
    await killServer();
    await waitUntil(async () => (await query(url, "select from kept").catch(() => [])).length === 1);
    expect(child.exitCode ?? child.signalCode).toBeNull();
  });

  it("uses another port when another program listens on its own", async () => {
    copyTemplate();
    const { url, child } = await openElsewhere("app");
    await store(url);
    await kill(child);
    await killServer();
    const other = createServer().listen(Number(new URL(url).port), "127.0.0.1");
    await once(other, "listening");
    const again = await open("app");
    expect(again.url).not.toBe(url);
    await expectStored(again.url);
    other.close();
  });

  it("lets a command close after it was killed", async () => {
    copyTemplate();
    const { child } = await openElsewhere("command");
    await killServer();
    await closeElsewhere(child);
  });
});
