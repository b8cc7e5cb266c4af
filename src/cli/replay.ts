import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Sql } from "postgres";
import { z } from "zod";
import { OperatorError } from "@/core/errors";
import { createLog, type Log } from "@/core/log/log";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { countDaysBetween, type Day, ManualClock, startOfDay } from "@/core/time";
import { withConnection } from "@/db/address";
import type { DatabaseConnection } from "@/db/client";
import { openEmbedded } from "@/db/embedded/server";
import { openMigrated } from "@/db/open";
import { snapshots } from "@/db/schema";
import { getAlertAccuracy } from "@/features/alerts/outcomes.service";
import { countBySeverity, listLargestAlerts } from "@/features/alerts/service";
import { isChannelId } from "@/features/creators/rules";
import { trackUnread } from "@/features/creators/service";
import { issueKey } from "@/features/keys/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { countMails } from "@/features/notifications/mail-events.service";
import { SetEmailInput } from "@/features/notifications/schema";
import { createHistoryPlatform, type History, isDay, readHistory } from "@/platform/history";
import type { ServiceContext } from "@/server/context";
import { createServiceContext } from "@/server/services";
import {
  createFileErrorHandler,
  createParser,
  createProgram,
  getSecondsSince,
  loadEnv,
  type Output,
  print,
  runProgram,
  withDatabase,
} from "./command";
import { simulateDays } from "./simulate";
import { formatFacts, formatTable, startBar } from "./table";

const LARGEST = 10;

type ReplaySettings = { from: Day; to: Day; email: string };
type ReplayOptions = Output & Pick<ReplaySettings, "email"> & Partial<ReplaySettings>;

async function runReplay(file: string, options: ReplayOptions): Promise<void> {
  const startedAt = performance.now();
  const history = readHistory(await readFile(file, "utf8").catch(createFileErrorHandler(`${file} cannot be read`)));
  const { from = history.first, to = history.last, email } = options;
  if (from > to) throw new OperatorError(`--from ${from} must not be after --to ${to}`);
  const unusable = history.channelIds.find((id) => !isChannelId(id));
  if (unusable) throw new OperatorError(`CSV: channel_id "${unusable}" must be UC and 22 characters`);

  const env = loadEnv(false);
  const log = createLog({ level: "error", to: "stderr" });
  await withDatabase(await openScratch(env.dataDir, log), async (db) => {
    const clock = new ManualClock(startOfDay(from));
    const outbox = path.join(env.dataDir, "replay-outbox");
    await rm(outbox, { recursive: true, force: true });
    const [mailer, monitoring] = [createOutbox(outbox), createLogMonitoring(log)];
    const platform = createHistoryPlatform(history, clock);
    const ctx = createServiceContext(env, { db, log, clock, platform, mailer, monitoring });
    const result = { ...(await simulate(ctx, clock, history, { from, to, email })), outbox };
    const { channels, days, snapshots, bySeverity, mails } = result;
    const total = bySeverity.reduce((sum, [, count]) => sum + count, 0);
    const alerts = { total, by_severity: Object.fromEntries(bySeverity) };
    const seconds = getSecondsSince(startedAt);
    print(options, { channels, days, snapshots, alerts, mails, seconds }, formatResult(result, seconds));
  });
}

/** An empty database beside the service's own on the embedded server. What a killed replay left is dropped. */
async function openScratch(dataDir: string, log: Log): Promise<DatabaseConnection> {
  const server = await openEmbedded(dataDir, "command", log);
  const drop = (admin: Sql) =>
    admin`drop database if exists replay`.catch(createFileErrorHandler("Another replay may be running"));
  const create = async (admin: Sql) => {
    await drop(admin);
    await admin`create database replay`;
    await admin`alter database replay set synchronous_commit = off`;
    // Its statements are so short that workers cost more than they save.
    await admin`alter database replay set max_parallel_workers_per_gather = 0`;
  };
  await withConnection(server.url, create).catch(async (error) => {
    await server.close();
    throw error;
  });
  const { href } = Object.assign(new URL(server.url), { pathname: "/replay" });
  return openMigrated(href, () => withConnection(server.url, drop).then(server.close));
}

async function simulate(ctx: ServiceContext, clock: ManualClock, { channelIds }: History, settings: ReplaySettings) {
  const { from, to, email } = settings;
  const { record } = await issueKey(ctx, { tier: "pro", label: "Replay" });
  await setAlertEmail(ctx, record.id, email);
  await trackUnread(ctx, record.id, channelIds);
  const days = countDaysBetween(from, to) + 1;
  const bar = startBar(days, "days");
  await simulateDays(ctx, { clock, from, to, onDay: () => bar.increment() }).finally(() => bar.stop());
  return {
    channels: channelIds.length,
    days,
    snapshots: await ctx.db.$count(snapshots),
    mails: await countMails(ctx),
    bySeverity: await countBySeverity(ctx, record.id),
    largest: await listLargestAlerts(ctx, record.id, LARGEST),
    outcomes: await getAlertAccuracy(ctx, days),
  };
}

function formatResult(result: Awaited<ReturnType<typeof simulate>> & { outbox: string }, seconds: number): string {
  const { bySeverity, largest, outcomes, ...figures } = result;
  const graded = outcomes.horizons.flatMap(({ days, by_label }) =>
    by_label.map(({ label, held, faded, unclear }) => [days, label, held, faded, unclear]),
  );
  const top = largest.map(({ day, severity, message }) => [day, severity, message]);
  return [
    formatTable(["severity", "alerts"], bySeverity),
    formatTable(["days later", "label", "held", "faded", "unclear"], graded),
    formatTable(["day", "severity", "largest growth"], top),
    formatFacts({ ...figures, seconds }),
  ].join("\n");
}

const DayInput = z.string().refine(isDay, "must be a day like 2026-01-31");

await runProgram(
  createProgram(
    "tools -- replay <csv>",
    "Run real histories through the daily run, on a scratch database and without waiting.\n" +
      "The file has the columns channel_id,date,subscribers,views,videos. An empty count is unknown.",
  )
    .argument("<csv>", "file of daily counts")
    .option("--from <day>", "first day, YYYY-MM-DD (default: the file's first)", createParser(DayInput))
    .option("--to <day>", "last day, YYYY-MM-DD (default: the file's last)", createParser(DayInput))
    .option(
      "--email <address>",
      "recipient of the emails, which are written to DATA_DIR/replay-outbox",
      createParser(SetEmailInput.shape.email),
      "replay@example.com",
    )
    .action(runReplay),
);
