import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { SingleBar } from "cli-progress";
import { InvalidArgumentError } from "commander";
import type { Database } from "@/core/db/client";
import { openScratchDatabase } from "@/core/db/scratch";
import { OperatorError } from "@/core/errors";
import { createLog, type Log } from "@/core/log/log";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { type Day, daysBetween, ManualClock, startOfDay } from "@/core/time";
import { accuracy } from "@/features/alerts/outcomes.service";
import { countBySeverity, largestAlerts } from "@/features/alerts/service";
import { isChannelId } from "@/features/creators/rules";
import { trackUnread } from "@/features/creators/service";
import { countSnapshots } from "@/features/growth/service";
import { issueKey } from "@/features/keys/service";
import { SetEmailInput } from "@/features/notifications/addresses.schema";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { countMails } from "@/features/notifications/mail-events.service";
import { createHistoryPlatform, type History, isDay, readHistory } from "@/platform/history";
import { createServiceContext } from "@/server/services";
import {
  createProgram,
  failsWith,
  jsonOption,
  loadEnv,
  type Output,
  print,
  runProgram,
  secondsSince,
  whileOpen,
} from "./command";
import { simulateDays } from "./simulate";
import { BAR, facts, table } from "./table";

/** Large steps are faster, and a replay needs no progress within a batch. */
const REPLAY_CREATORS_PER_STEP = 50;
const LARGEST = 10;

interface ReplayOptions {
  from: Day;
  to: Day;
  email: string;
}

async function replay(
  file: string,
  given: Partial<ReplayOptions> & { email: string } & Output,
): Promise<void> {
  const startedAt = performance.now();
  const history = readHistory(await readFile(file, "utf8").catch(failsWith(`${file} cannot be read`)));
  const options = { from: history.first, to: history.last, ...given };
  if (options.from > options.to)
    throw new OperatorError(`--from ${options.from} must not be after --to ${options.to}`);
  const unusable = history.channelIds.find((id) => !isChannelId(id));
  if (unusable) throw new OperatorError(`CSV: channel_id "${unusable}" must be UC and 22 characters`);

  const { dataDir } = loadEnv(false);
  const log = createLog({ level: "error", to: "stderr" });
  await whileOpen(await openScratchDatabase(dataDir, log), async (db) => {
    const result = await simulate({ db, log, history, ...options });
    const { channels, days, snapshots, bySeverity, mails } = result;
    const total = bySeverity.reduce((sum, [, count]) => sum + count, 0);
    const alerts = { total, by_severity: Object.fromEntries(bySeverity) };
    const seconds = secondsSince(startedAt);
    print(given, { channels, days, snapshots, alerts, mails, seconds }, asText(result, seconds));
  });
}

interface Simulation extends ReplayOptions {
  db: Database;
  log: Log;
  history: History;
}

async function simulate({ db, log, history, from, to, email }: Simulation) {
  const env = loadEnv(false);
  const clock = new ManualClock(startOfDay(from));
  const outbox = path.join(env.dataDir, "replay-outbox");
  await rm(outbox, { recursive: true, force: true });
  const ctx = createServiceContext(
    { ...env, creatorsPerStep: Math.max(env.creatorsPerStep, REPLAY_CREATORS_PER_STEP) },
    {
      db,
      log,
      clock,
      platform: createHistoryPlatform(history, clock),
      mailer: createOutbox(outbox),
      monitoring: createLogMonitoring(log),
    },
  );
  const { record } = await issueKey(ctx, { tier: "pro", label: "Replay" });
  await setAlertEmail(ctx, record.id, email);
  await trackUnread(ctx, record.id, history.channelIds);

  const days = daysBetween(from, to) + 1;
  const bar = new SingleBar({ ...BAR, format: "{bar} {percentage}% | {value} of {total} days" });
  bar.start(days, 0);
  await simulateDays(ctx, { clock, from, to, onDay: () => bar.increment() });
  bar.stop();
  return {
    channels: history.channelIds.length,
    days,
    snapshots: await countSnapshots(ctx),
    mails: await countMails(ctx),
    outbox,
    bySeverity: await countBySeverity(ctx, record.id),
    largest: await largestAlerts(ctx, record.id, LARGEST),
    outcomes: await accuracy(ctx, days),
  };
}

function asText(result: Awaited<ReturnType<typeof simulate>>, seconds: number): string {
  const { bySeverity, largest, outcomes, ...figures } = result;
  const graded = outcomes.horizons.flatMap(({ days, by_label }) =>
    by_label.map(({ label, held, faded, unclear }) => [days, label, held, faded, unclear]),
  );
  const top = largest.map(({ day, severity, message }) => [day, severity, message]);
  return [
    table(["severity", "alerts"], bySeverity),
    table(["days later", "label", "held", "faded", "unclear"], graded),
    ...(top.length > 0 ? [table(["day", "severity", "largest growth"], top)] : []),
    facts({ ...figures, seconds }),
  ].join("\n");
}

function asDay(text: string): Day {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a day like 2026-01-31.");
}

function asEmail(text: string): string {
  const parsed = SetEmailInput.shape.email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError("It must be an email address like scout@example.com.");
}

await runProgram(
  createProgram(
    "replay -- <csv>",
    "Run real histories through the daily run, on a scratch database and without waiting.\n" +
      "The file has the columns channel_id,date,subscribers,views,videos. An empty count is unknown.",
  )
    .argument("<csv>", "file of daily counts")
    .option("--from <day>", "first day, YYYY-MM-DD (default: the file's first)", asDay)
    .option("--to <day>", "last day, YYYY-MM-DD (default: the file's last)", asDay)
    .option(
      "--email <address>",
      "recipient of the emails, which are written to DATA_DIR/replay-outbox",
      asEmail,
      "replay@example.com",
    )
    .addOption(jsonOption())
    .action(replay),
);
