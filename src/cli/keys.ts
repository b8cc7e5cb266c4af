import { hostname } from "node:os";
import { createInterface } from "node:readline/promises";
import { Argument, type Command, Option } from "commander";
import { getErrorMessage, OperatorError } from "@/core/errors";
import { toUtcDay } from "@/core/time";
import type { CoreContext } from "@/db/context";
import { type AuditAction, TIERS, type Tier } from "@/db/values";
import { audit, listAuditEntries } from "@/features/keys/audit.service";
import {
  declineRequest,
  issueLink,
  type KeyRequest,
  listOpenRequests,
  mailLink,
} from "@/features/keys/requests.service";
import { OverlapInput, rotateKey } from "@/features/keys/rotation.service";
import { LabelInput } from "@/features/keys/schema";
import * as keys from "@/features/keys/service";
import { eraseKey, type IssuedKey, type KeyRecord } from "@/features/keys/service";
import { KEPT_DAYS } from "@/features/usage/request-log.rules";
import { countRequests } from "@/features/usage/request-log.service";
import { listRequestsPerDay } from "@/features/usage/service";
import { createServiceContext } from "@/server/services";
import {
  beginChanges,
  type CommandContext,
  createParser,
  createProgram,
  print,
  runProgram,
  withContext,
} from "./command";
import { formatDetails, readDetails, toDetailsJson } from "./keys/details";
import { formatKeyTable, formatLogTable, formatRequestTable, formatTier, isAhead, toJson } from "./keys/shown";
import { formatFacts, formatMinute, formatTable } from "./table";

const USAGE_DAYS = 30;
const LOG_ENTRIES = 100;

const program = createProgram("keys -- <command>", "Issue and manage API keys.")
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    "after",
    `\nExamples:
  npm run keys -- issue --tier starter --label "Acme Scouts"
  npm run keys -- issue --request req_5f2c81d09a3e
  npm run --silent keys -- list --json
  npm run keys -- set-tier key_1a2b pro`,
  );

add("issue", "issue a key; its secret is shown once")
  .addOption(new Option("--tier <tier>", "tier of the key").choices(TIERS))
  .option("--label <text>", 'who the key is for, 1 to 100 characters ("Issued" and the day)', createParser(LabelInput))
  .option("--request <id>", "mail a one-time link for a request; tier and label are the request's unless given")
  .action(async ({ tier, label, request }: { tier?: Tier; label?: string; request?: string }) => {
    if (request !== undefined) return printLink(await withContext((ctx) => sendLink(ctx, request, { tier, label })));
    if (!tier) throw new OperatorError("Give --tier, or --request");
    printIssued(
      await withContext(async (ctx) => {
        beginChanges();
        const issued = await keys.issueKey(ctx, { tier, label: label ?? `Issued ${toUtcDay(ctx.clock.now())}` });
        return auditCommand(ctx, issued.record.id, "issued", async () => issued);
      }),
    );
  });

add("requests", "list open requests for a key, oldest first")
  .option("--decline <id>", "delete a request instead")
  .action(async ({ decline }: { decline?: string }) => {
    if (decline === undefined) return printRequests(await withContext(listOpenRequests));
    await withContext((ctx) => {
      beginChanges();
      return declineRequest(ctx, decline);
    });
    show({ id: decline, declined: true }, `Deleted the request ${decline}.`);
  });

add("list", "list all keys, newest first").action(async () => {
  const records = await withContext(keys.listKeys);
  const text =
    records.length > 0 ? formatKeyTable(records) : "No keys yet. Issue one: npm run keys -- issue --tier free";
  show(records.map(toJson), text);
});

add("show <id-or-label>", "show a key with its address, creators, last requests, alerts and deliveries").action(
  async (name: string) => {
    const details = await withContext((ctx) => readDetails(ctx, name));
    show(toDetailsJson(details), formatDetails(details));
  },
);

add("usage <id>", "show a key's requests, responses, creators and alerts").action(async (id: string) => {
  const usage = await withContext((ctx) => readUsage(ctx, id));
  show(usage, formatUsage(usage));
});

add("log <id>", "show what was done with a key: by whom, from where, and the outcome").action(async (id: string) => {
  const entries = await withContext(async (ctx) =>
    listAuditEntries(ctx, (await keys.findKey(ctx, id)).id, LOG_ENTRIES),
  );
  show(entries, entries.length > 0 ? formatLogTable(entries) : "Nothing yet.");
});

add("set-tier <id>", "move a key to another tier, from its next request")
  .addArgument(new Argument("<tier>", "the new tier").choices(TIERS))
  .action(async (id: string, tier: Tier) =>
    printRecord(await withContext((ctx) => auditCommand(ctx, id, "tier_set", () => keys.setTier(ctx, id, tier)))),
  );

addAsking("revoke <id>", "revoke a key now; its data stays").action((id: string, { yes }: Asking) =>
  withContext(async (ctx) => {
    const { label } = await keys.findKey(ctx, id);
    if (!yes) await confirm(`Revoke "${label}"? Its requests are refused from now on.`);
    printRecord(await auditCommand(ctx, id, "revoked", () => keys.revokeKey(ctx, id)));
  }),
);

addAsking("rotate <id>", "replace a key's secret; the new one is shown once")
  .option(
    "--overlap <time>",
    "how long the old one keeps working, 1m to 30d, such as 24h (0)",
    createParser(OverlapInput),
  )
  .action((id: string, { overlap, yes }: Asking & { overlap?: number }) =>
    withContext(async (ctx) => {
      const { label, previousWorksUntil: ended } = await keys.findKey(ctx, id);
      if (!yes) await confirm(`Rotate "${label}"? The old key stops working ${overlap ? "after the overlap" : "now"}.`);
      const issued = await auditCommand(ctx, id, "rotated", () => rotateKey(ctx, id, overlap));
      printIssued(issued, isAhead(ended) ? "\n\nThe key before the old one stopped working now." : "");
    }),
  );

addAsking("delete <id>", "delete a key with its creators, alerts, address and usage").action(
  (id: string, { yes }: Asking) =>
    withContext(async (ctx) => {
      const { id: keyId, label } = await keys.findKey(ctx, id);
      const { creators, alerts } = await keys.countKeyData(ctx, keyId);
      if (!yes) await confirm(`Delete "${label}" with ${creators} tracked creators and ${alerts} alerts?`);
      beginChanges();
      await eraseKey(createServiceContext(ctx.env, ctx), id);
      show({ id, deleted: true }, `Deleted ${id} (${label}) and all of its data.`);
    }),
);

/** The link stays valid where its mail fails: the operator can hand it over. */
async function sendLink(ctx: CommandContext, id: string, chosen: { tier?: Tier; label?: string }) {
  const { mailer, appUrl } = createServiceContext(ctx.env, ctx);
  beginChanges();
  const link = await issueLink({ ...ctx, appUrl }, id, chosen);
  const problem = await mailLink({ mailer, appUrl }, link).then(() => null, getErrorMessage);
  return { ...link, mailer: mailer.name, problem };
}

function printLink({ problem, mailer, ...link }: Awaited<ReturnType<typeof sendLink>>): void {
  const { id, url, email, label, tier, expiresAt } = link;
  const sent = { resend: `Mailed to ${email}.`, outbox: `Written to the outbox for ${email}.`, log: "Not mailed." };
  const outcome = problem ? `The mail to ${email} failed: ${problem}. Hand the link over yourself.` : sent[mailer];
  show(
    { id, email, label, tier, url, expires_at: expiresAt, mail: problem ? "failed" : mailer },
    `${outcome}\n\nThe link shows the key once, until ${formatMinute(expiresAt)} UTC:\n  ${url}`,
  );
}

function printRequests(requests: KeyRequest[]): void {
  const shown = requests.map(({ requestedAt, linkExpiresAt, ...rest }) => ({
    ...rest,
    requested_at: requestedAt,
    link_expires_at: linkExpiresAt,
  }));
  show(shown, requests.length > 0 ? formatRequestTable(requests) : "No open requests.");
}

/** Does a command's work on a key and notes it in the key's log. */
function auditCommand<T>(ctx: CoreContext, id: string, action: AuditAction, work: () => Promise<T>): Promise<T> {
  beginChanges();
  return audit(ctx, id, { action, actor: "operator", source: `command on ${hostname()}` }, work);
}

function add(usage: string, description: string): Command {
  return program.command(usage).description(description);
}

interface Asking {
  yes?: boolean;
}

/** A command that asks first. */
function addAsking(usage: string, description: string): Command {
  return add(usage, description).option("--yes", "do not ask for confirmation");
}

async function readUsage(ctx: CoreContext, id: string) {
  const record = await keys.findKey(ctx, id);
  const days = await listRequestsPerDay(ctx, USAGE_DAYS, record.id);
  return {
    ...toJson(record),
    ...(await keys.countKeyData(ctx, record.id)),
    requests: days.map(({ day, requests }) => ({ day, requests })),
    answers: (await countRequests(ctx, record.id)).endpoints,
  };
}

function formatUsage(usage: Awaited<ReturnType<typeof readUsage>>): string {
  const { id, label, tier, requests_per_day: limit, creators, alerts } = usage;
  const formatShare = (made: number) => `${Math.round((100 * made) / limit)}%`;
  const days = usage.requests.map(({ day, requests }) => [day, requests, formatShare(requests)]);
  const answers = usage.answers.map(({ method, endpoint, status, requests }) => [
    `${method} ${endpoint}`,
    status,
    requests,
  ]);
  return [
    formatFacts({ id, label, tier: formatTier(tier), creators, alerts }),
    `Requests, last ${USAGE_DAYS} days`,
    formatTable(["day (UTC)", "requests", "of the limit"], days),
    `Responses, last ${KEPT_DAYS} days`,
    formatTable(["endpoint", "status", "requests"], answers),
  ].join("\n");
}

/** @throws OperatorError unless the operator types "yes" */
async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new OperatorError("Nothing was changed. Add --yes: there is no terminal to ask in");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  const reply = await terminal.question(`${question} Type "yes": `).catch(() => "");
  terminal.close();
  if (reply.trim() !== "yes") throw new OperatorError("Nothing was changed");
}

function show(value: object, text: string): void {
  print(program.opts(), value, text);
}

function printIssued({ record, secret }: IssuedKey, more = ""): void {
  const { id, ...rest } = toJson(record);
  const until = record.previousWorksUntil;
  const old = until ? `\n\nThe old key works until ${formatMinute(until)} UTC.` : "";
  const text = `${formatKeyTable([record])}\n\nThe key. It is not shown again:\n  ${secret}${old}${more}`;
  show({ id, key: secret, ...rest }, text);
}

function printRecord(record: KeyRecord): void {
  show(toJson(record), formatKeyTable([record]));
}

await runProgram(program);
