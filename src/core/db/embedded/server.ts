import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import postgres from "postgres";
import { isOperatorError, OperatorError } from "@/core/errors";
import type { Log } from "@/core/log/log";
import { sleep } from "@/core/time";
import {
  type Cluster,
  DATABASE_NAME,
  DATABASE_USER,
  findServer,
  lastPort,
  logTail,
  openCluster,
  startServer,
  stopServer,
} from "./cluster";

/** Advisory locks of the maintenance database: who uses the server, and which process is the app. */
const USERS_LOCK = 7_201;
const APP_LOCK = 7_202;
/** Between starts that fail: what is left of a killed server may take a while to be gone. */
const RESTART_TURNS = 5;
const PATIENCE_TURNS = 600;
const TURN_MS = 50;
const RECOVERY_PAUSE_MS = 1000;

/** Commands share a server freely; the app is one per data folder. */
export type EmbeddedRole = "app" | "command";

export interface EmbeddedServer {
  /** Connection string of the product's database. */
  url: string;
  /** Gives the server up; the last user out stops it. */
  close(): Promise<void>;
}

/**
 * Finds the running server of this data folder, or starts one, and registers as a user of it. The registration is
 * a session of the server itself, so it ends with the process however that ends, and nothing stale can remain.
 * @throws OperatorError when a second app asks for the folder, or no server can be started.
 */
export async function openEmbedded(dataDir: string, role: EmbeddedRole, log: Log): Promise<EmbeddedServer> {
  const cluster = await openCluster(dataDir);
  let closing = false;
  let recovery = Promise.resolve();
  const onLost = () => {
    if (role === "app") recovery = recover();
  };
  let lease = await openLease(cluster, role, { onLost });

  /** Keeps the app's server up. Pools know it by its port, so one on another port is no recovery. */
  async function recover(): Promise<void> {
    if (closing) return;
    log.warn("the embedded database ended unexpectedly; starting it again");
    try {
      const renewed = await openLease(cluster, role, { onLost, port: lease.port });
      if (renewed.port !== lease.port) {
        log.fatal("the embedded database is on another port now; ending, to be started anew");
        process.exit(1);
      }
      lease = renewed;
      log.info("the embedded database is back");
    } catch (error) {
      log.error({ err: error }, "the embedded database could not be started again; trying on");
      await sleep(RECOVERY_PAUSE_MS);
      return recover();
    }
  }

  return {
    url: connectionString(cluster, lease.port, DATABASE_NAME),
    close: async () => {
      closing = true;
      await recovery;
      await closeLease(cluster, lease);
    },
  };
}

interface Lease {
  port: number;
  session: postgres.ReservedSql;
  /** Whether the session has ended by itself; the driver must not be given a statement for it then. */
  isLost(): boolean;
  end(): Promise<void>;
}

interface LeaseOptions {
  onLost(): unknown;
  /** The only port to start on when no server runs; by default the one before it was cut off, or a free one. */
  port?: number;
}

async function openLease(cluster: Cluster, role: EmbeddedRole, options: LeaseOptions): Promise<Lease> {
  let child: ChildProcess | undefined;
  let known: number | null = null;
  for (let turn = 0; turn < PATIENCE_TURNS; turn++) {
    const server = await findServer(cluster);
    if (server?.ready) {
      const lease = await tryLease(cluster, role, server.port, options.onLost);
      if (lease) return lease;
    } else if (!server && hasEnded(child)) {
      // The file that tells it is gone after a start that failed.
      known ??= await lastPort(cluster);
      if (child) await sleep(RESTART_TURNS * TURN_MS);
      child = await startServer(cluster, options.port ?? (await freePort(known)));
      child.unref();
    }
    await sleep(TURN_MS);
  }
  throw new OperatorError(`The embedded database does not start: ${await logTail(cluster.home)}`);
}

function hasEnded(child: ChildProcess | undefined): boolean {
  return !child || child.exitCode !== null || child.signalCode !== null;
}

/** Registers with a server; null when it is going down, so that the caller looks again. */
async function tryLease(
  cluster: Cluster,
  role: EmbeddedRole,
  port: number,
  onLost: () => unknown,
): Promise<Lease | null> {
  let held = false;
  let lost = false;
  const client = postgres(connectionString(cluster, port, "postgres"), {
    max: 1,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    onclose: () => {
      lost = true;
      if (held) onLost();
    },
  });
  try {
    const session = await client.reserve();
    await session`select pg_advisory_lock_shared(${USERS_LOCK})`;
    if (role === "app") await claimApp(session);
    await createDatabase(session);
    held = true;
    return {
      port,
      session,
      isLost: () => lost,
      end: () => {
        session.release();
        return client.end({ timeout: 1 });
      },
    };
  } catch (error) {
    await client.end({ timeout: 1 });
    if (isOperatorError(error)) throw error;
    return null;
  }
}

async function claimApp(session: postgres.ReservedSql): Promise<void> {
  const [row] = await session`select pg_try_advisory_lock(${APP_LOCK}) as granted`;
  if (!row?.granted)
    throw new OperatorError(
      "Another instance of the service is running on this data folder; stop it, or set DATA_DIR to another one",
    );
}

async function createDatabase(session: postgres.ReservedSql): Promise<void> {
  const [existing] = await session`select 1 from pg_database where datname = ${DATABASE_NAME}`;
  if (existing) return;
  await session.unsafe(`create database ${DATABASE_NAME}`).catch((error: unknown) => {
    const lostRace = error instanceof postgres.PostgresError && ["42P04", "23505"].includes(error.code);
    if (!lostRace) throw error;
  });
}

/** A newcomer that registers while the last user leaves is cut off by the stop and starts the server anew. */
async function closeLease(cluster: Cluster, { session, isLost, end }: Lease): Promise<void> {
  if (isLost()) return;
  const isLast = await session`select pg_advisory_unlock_shared(${USERS_LOCK})`
    .then(() => session`select pg_try_advisory_lock(${USERS_LOCK}) as last`)
    .then(
      ([row]) => row?.last === true,
      () => false,
    );
  if (isLast) await stopServer(cluster);
  await end();
  for (let turn = 0; isLast && turn < PATIENCE_TURNS && (await findServer(cluster)); turn++)
    await sleep(TURN_MS);
}

function connectionString({ password }: Cluster, port: number, database: string): string {
  return `postgres://${DATABASE_USER}:${password}@127.0.0.1:${port}/${database}`;
}

/** A port that nobody has: the preferred one if it is. */
function freePort(preferred: number | null): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => (preferred ? resolve(freePort(null)) : reject(error)));
    probe.listen(preferred ?? 0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
