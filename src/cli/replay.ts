import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { SingleBar } from "cli-progress";
import { Command, InvalidArgumentError } from "commander";
import type { Database } from "@/core/db/client";
import { openScratchDatabase } from "@/core/db/scratch";
import type { Env } from "@/core/env";
import { errorMessage, OperatorError } from "@/core/errors";
import { createLog, type Log } from "@/core/log/log";
import { createLogMonitoring } from "@/core/mail/monitoring";
import { createOutbox } from "@/core/mail/outbox";
import { type Day, daysBetween, ManualClock, startOfDay } from "@/core/time";
import type { Accuracy } from "@/features/alerts/outcomes.schema";
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
import { createServiceContext } from "@/server/parts";
import { closeOnSignal, loadEnv, runCommand, whileOpen } from "./command";
import { playDays } from "./play";
import { facts, table } from "./table";

/** Channels stored by one step unless CREATORS_PER_STEP says otherwise: nothing is watched while years go by. */
const REPLAY_CREATORS_PER_STEP = 50;
const LARGEST = 10;

interface ReplayOptions {
  from?: Day;
  to?: Day;
  email: string;
  json?: boolean;
}

const program = new Command("replay")
  .usage("<csv> [options]")
  .description(
    "Play real histories through the daily run, on a scratch database and without waiting.\n" +
      "The file has the columns channel_id,date,subscribers,views,videos; a blank count is unknown.\n" +
      "Run as: npm run replay -- <csv>",
  )
  .argument("<csv>", "file of daily counts")
  .option("--from <day>", "first day to play, YYYY-MM-DD (the file's first)", asDay)
  .option("--to <day>", "last day to play, YYYY-MM-DD (the file's last)", asDay)
  .option(
    "--email <address>",
    "address of the mails, which go to the outbox of the data folder",
    asEmail,
    "replay@example.com",
  )
  .option("--json", "print one JSON object, for machines")
  .showHelpAfterError("(add --help for usage)");

async function replay(file: string, options: ReplayOptions): Promise<void> {
  const startedAt = performance.now();
  const history = readHistory(await readFile(file, "utf8").catch(unreadable(file)));
  const from = options.from ?? history.first;
  const to = options.to ?? history.last;
  if (from > to) throw new OperatorError(`--from ${from} must not be after --to ${to}`);
  const unusable = history.channelIds.find((id) => !isChannelId(id));
  if (unusable) throw new OperatorError(`CSV: channel_id "${unusable}" must be UC and 22 characters`);

  const env = loadEnv(false);
  const log = createLog({ level: "error", to: "stderr" });
  await whileOpen(await openScratchDatabase(env.dataDir, log), async (db) => {
    const result = await play({ env, db, log, history, from, to, email: options.email });
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const { bySeverity, largest, outcomes, ...figures } = result;
    const total = bySeverity.reduce((sum, [, made]) => sum + made, 0);
    const alerts = { total, by_severity: Object.fromEntries(bySeverity) };
    const { channels, days, snapshots, mails } = figures;
    const json = JSON.stringify({ channels, days, snapshots, alerts, mails, seconds });
    process.stdout.write(
      options.json ? `${json}\n` : report({ ...figures, seconds }, bySeverity, largest, outcomes),
    );
  });
}

interface Play {
  env: Env;
  db: Database;
  log: Log;
  history: History;
  from: Day;
  to: Day;
  email: string;
}

async function play({ env, db, log, history, from, to, email }: Play) {
  const clock = new ManualClock(startOfDay(from));
  const outbox = path.join(env.dataDir, "replay-outbox");
  await rm(outbox, { recursive: true, force: true });
  const creatorsPerStep = Math.max(env.creatorsPerStep, REPLAY_CREATORS_PER_STEP);
  const ctx = createServiceContext(
    { ...env, creatorsPerStep },
    {
      db,
      log,
      clock,
      platform: createHistoryPlatform(history, clock),
      // Nobody is told of what is long past.
      mailer: createOutbox(outbox),
      monitoring: createLogMonitoring(log),
    },
  );
  const { record } = await issueKey(ctx, { tier: "pro", label: "Replay" });
  await setAlertEmail(ctx, record.id, email);
  await trackUnread(ctx, record.id, history.channelIds);

  const days = daysBetween(from, to) + 1;
  const bar = new SingleBar({
    format: "{bar} {percentage}% | {value} of {total} days",
    clearOnComplete: true,
    noTTYOutput: false,
  });
  bar.start(days, 0);
  await playDays(ctx, { clock, from, to, onDay: () => bar.increment() });
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

function report(
  figures: Record<string, string | number>,
  bySeverity: [string, number][],
  largest: Awaited<ReturnType<typeof largestAlerts>>,
  { horizons }: Accuracy,
): string {
  const severities = table(["severity", "alerts"], bySeverity);
  const top = table(
    ["day", "severity", "largest growth"],
    largest.map(({ day, severity, message }) => [day, severity, message]),
  );
  const labels = table(
    ["days later", "label", "held", "faded", "unclear"],
    horizons.flatMap(({ days, by_label }) =>
      by_label.map(({ label, held, faded, unclear }) => [days, label, held, faded, unclear]),
    ),
  );
  return `${severities}\n${labels}\n${largest.length > 0 ? `${top}\n` : ""}${facts(figures)}\n`;
}

function asDay(text: string): Day {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a day like 2026-01-31.");
}

function asEmail(text: string): string {
  const parsed = SetEmailInput.shape.email.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError("It must be an email address, such as scout@example.com.");
}

function unreadable(file: string): (error: unknown) => never {
  return (error) => {
    throw new OperatorError(`${file} cannot be read: ${errorMessage(error)}`);
  };
}

closeOnSignal();
await runCommand(async () => {
  program.parse();
  await replay(program.args[0] ?? "", program.opts());
});
