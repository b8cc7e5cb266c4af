import { inArray, sql } from "drizzle-orm";
import type { Sql } from "postgres";
import type { Mailer } from "@/core/mail/email";
import type { Monitoring } from "@/core/mail/monitoring";
import { ManualClock } from "@/core/time";
import { connect, type Database } from "@/db/client";
import type { Engine } from "@/jobs/engine";
import type { VideoPlatform } from "@/platform/port";
import type { ServiceContext } from "@/server/context";
import { createJobs } from "@/server/jobs";
import { createServiceContext } from "@/server/services";
import type { TestService } from "./service";

/** Whom a process talks to. They outlive it. */
interface Outside {
  platform: VideoPlatform;
  mailService: Mailer;
  channel: Monitoring;
}

/** A simulated server process with its own database connections, clock and job engine. */
export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

/**
 * Starts a process beside the test's own, at the instant of its clock.
 * @param dieAt at which of the things it does outside of itself it dies: before that statement, call, mail or post,
 *   or right after the answer to one. Nothing it does from then on has any effect.
 */
export async function startProcess(service: TestService, outside: Outside, dieAt = Number.POSITIVE_INFINITY) {
  const clock = new ManualClock(service.clock.now());
  const { db } = connect(service.databaseUrl, { max: 3 });
  const client = getClient(db);
  let engine: Engine | undefined;
  const lifetime = createLifetime(dieAt, () => {
    // Cuts the connections, so that the database rolls back what was open.
    void client.end({ timeout: 0 });
    void engine?.stop();
  });
  const sessions = await openConnections(client);
  client.options.debug = () => lifetime.step();
  const { mailService, platform, channel } = outside;
  const ctx = {
    ...createServiceContext(service.env, {
      db,
      log: service.log,
      clock,
      platform: { ...platform, listChannels: (ids) => lifetime.around(() => platform.listChannels(ids)) },
      mailer: {
        name: "outbox",
        send: (mail) => lifetime.around(() => mailService.send(mail)),
      },
    }),
    clock,
    monitoring: {
      name: "log" as const,
      post: (post) => lifetime.around(() => channel.post(post)),
      notify: (text) => lifetime.around(() => channel.notify(text)),
    },
  } satisfies ServiceContext;
  const jobs = await createJobs(ctx);
  engine = jobs.engine;
  return {
    ...jobs,
    ctx,
    isDead: () => lifetime.isOver(),
    /** Runs jobs until none is left, or until the process dies. */
    drain: (): Promise<void> => jobs.engine.drain((to) => clock.set(to)),
    /** Ends the process in good order, also a dead one. */
    end: async (): Promise<void> => {
      await jobs.engine.stop();
      await client.end({ timeout: 1 });
      await endSessions(service.db, sessions);
    },
  };
}

/**
 * Opens all connections first, so the driver's setup queries do not count as steps.
 * @returns the ids of their sessions at the database
 */
async function openConnections(client: Sql): Promise<number[]> {
  const reserved = await Promise.all(Array.from({ length: client.options.max }, () => client.reserve()));
  const sessions = await Promise.all(reserved.map((connection) => connection`select pg_backend_pid() as id`));
  for (const connection of reserved) connection.release();
  return sessions.map(([session]) => Number(session?.id));
}

/** Waits until the database is done with sessions: it finishes the statement under way when their connection is cut. */
async function endSessions(db: Database, sessions: readonly number[]): Promise<void> {
  await db
    .select({ isEnded: sql`pg_terminate_backend(pid, 10000)` })
    .from(sql`pg_stat_activity`)
    .where(inArray(sql`pid`, [...sessions]));
}

function createLifetime(dieAt: number, die: () => void) {
  let steps = 0;
  const countStep = () => {
    steps += 1;
    if (steps === dieAt) die();
    if (steps >= dieAt) throw new Error("this process is dead");
  };
  return {
    step: countStep,
    isOver: () => steps >= dieAt,
    async around<T>(act: () => Promise<T>): Promise<T> {
      countStep();
      const answer = await act();
      countStep();
      return answer;
    },
  };
}

/** The driver's client below drizzle, which its types leave out; its `debug` hears of each statement before it is sent. */
function getClient(db: Database): Sql & { options: { debug: unknown } } {
  return (db as Database & { $client: Sql }).$client as Sql & { options: { debug: unknown } };
}
