import type { ChildProcess } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import postgres from "postgres";
import { isOperatorError, OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { sleep } from "@/core/time";
import {
  type Cluster,
  DATABASE_USER,
  findServer,
  openCluster,
  readLastPort,
  readLogTail,
  removeStalePidFile,
  spawnProgram,
} from "./cluster";

const DATABASE_NAME = "creator_growth";
/** Advisory locks of the maintenance database: each user of the server holds the first, the app also the second. */
const USERS_LOCK = 7_201;
const APP_LOCK = 7_202;
const ATTEMPTS = 1200;
const PAUSE_MS = 25;

export type EmbeddedRole = "app" | "command";

/**
 * Connects to the server of this data folder. Starts it if needed, and again when it ends under an app.
 * @param isDisposable whether a crash of the machine during the first start may cost the cluster
 */
export async function openEmbedded(dataDir: string, role: EmbeddedRole, log: Log, isDisposable = false) {
  const cluster = await openCluster(dataDir, isDisposable);
  let isClosing = false;
  let recovery = Promise.resolve();
  const onLost = () => {
    if (role === "app") recovery = recover();
  };
  let lease = await openLease(cluster, role, onLost);

  async function recover(): Promise<void> {
    while (!isClosing)
      try {
        log.warn("the embedded database stopped; starting it again");
        lease = await openLease(cluster, role, onLost);
        return log.info("the embedded database runs again");
      } catch (error) {
        log.error({ err: error }, "the embedded database does not start");
        await sleep(PAUSE_MS);
      }
  }

  return {
    url: buildConnectionString(cluster, lease.port, DATABASE_NAME),
    /** Releases the server. The last user stops it. */
    close: async (): Promise<void> => {
      isClosing = true;
      await recovery;
      await closeLease(cluster, lease.client);
    },
  };
}

/** Opens a session that holds the users' lock. It ends with its process, so a killed user leaves nothing behind. */
async function openLease(cluster: Cluster, role: EmbeddedRole, onLost: () => void) {
  let child: ChildProcess | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const server = await findServer(cluster);
    const lease = server && (await tryLease(cluster, role, server.port, onLost));
    if (lease) return lease;
    const isStarting = child?.exitCode === null && child.signalCode === null;
    if (!server && !isStarting) child = await startServer(cluster);
    await sleep(PAUSE_MS);
  }
  throw new OperatorError(`The embedded database does not start: ${await readLogTail(cluster.home)}`);
}

async function startServer(cluster: Cluster): Promise<ChildProcess> {
  await removeStalePidFile(cluster);
  // On the last port, open connection pools find the server again.
  const port = await findFreePort(await readLastPort(cluster)).catch(() => findFreePort(0));
  const address = ["-h", "127.0.0.1", "-p", String(port), "-k", ""];
  const zone = ["-c", "timezone=UTC", "-c", "log_timezone=UTC"];
  const buildArgs = (folder: string) => ["-D", `${folder}/data`, ...address, ...zone];
  const child = await spawnProgram(cluster.home, "postgres", buildArgs);
  child.unref();
  return child;
}

/** Null while the server starts or stops, or another user creates the database. */
async function tryLease(cluster: Cluster, role: EmbeddedRole, port: number, onLost: () => void) {
  let isHeld = false;
  const client = postgres(buildConnectionString(cluster, port, "postgres"), {
    max: 1,
    connect_timeout: 5,
    max_lifetime: null,
    onnotice: () => {},
    onclose: () => {
      if (isHeld) onLost();
    },
  });
  try {
    const [database] = await client`select from pg_database where datname = ${DATABASE_NAME}`;
    if (!database) await client.unsafe(`create database ${DATABASE_NAME}`);
    const [row] = await client`
      select pg_advisory_lock_shared(${USERS_LOCK}),
        case when ${role === "app"} then pg_try_advisory_lock(${APP_LOCK}) else true end as granted`;
    if (!row?.granted)
      throw new OperatorError(
        "Another instance of the service runs on this data folder; stop it, or set DATA_DIR to another folder",
      );
    isHeld = true;
    return { port, client };
  } catch (error) {
    await client.end({ timeout: 1 });
    if (isOperatorError(error)) throw error;
    return null;
  }
}

/** The user that gets the lock alone is the last one. A user that arrives during the stop starts the server again. */
async function closeLease(cluster: Cluster, client: postgres.Sql): Promise<void> {
  const [row] = await client`
    select pg_advisory_unlock_shared(${USERS_LOCK}), pg_try_advisory_lock(${USERS_LOCK}) as granted`.catch(() => []);
  const server = row?.granted ? await findServer(cluster) : null;
  if (server) process.kill(server.pid, "SIGINT");
  // The lock is kept until the server has ended, so that a stopping server lets no user in.
  for (let attempt = 0; server && attempt < ATTEMPTS && (await findServer(cluster)); attempt++) await sleep(PAUSE_MS);
  await client.end({ timeout: 1 });
}

function buildConnectionString({ password }: Cluster, port: number, database: string): string {
  return `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/${database}`;
}

function findFreePort(preferred: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(preferred, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
