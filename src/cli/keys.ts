import { createInterface } from "node:readline/promises";
import { Command, Option } from "commander";
import type { z } from "zod";
import { TIER_LIMITS, TIERS, type Tier } from "@/core/config/tiers";
import type { CoreContext } from "@/core/context";
import { OperatorError } from "@/core/errors";
import { KEPT_DAYS } from "@/features/keys/requests.rules";
import { countStatuses } from "@/features/keys/requests.service";
import { type IssuedKey, type KeyRecord, LabelInput, TierInput } from "@/features/keys/schema";
import {
  countKeyData,
  deleteKey,
  findKey,
  issueKey,
  listKeys,
  revokeKey,
  rotateKey,
  setTier,
} from "@/features/keys/service";
import { requestsPerDay } from "@/features/keys/usage.service";
import { closeOnSignal, runCommand, withContext } from "./command";
import { facts, table } from "./table";

const USAGE_DAYS = 30;

interface OutputOptions {
  json?: boolean;
}

const json = () => new Option("--json", "print one JSON object or array, for machines");

const program = new Command("keys")
  .usage("<command> [options]")
  .description("Issue and manage API keys. Run as: npm run keys -- <command>")
  .addHelpText(
    "after",
    `\nExamples:
  npm run keys -- issue --tier starter --label "Acme Scouts"
  npm run --silent keys -- list --json
  npm run keys -- set-tier key_1a2b pro`,
  )
  .showHelpAfterError("(add --help for usage)");

program
  .command("issue")
  .description("make a new key; it is printed once and cannot be read again")
  .addOption(new Option("--tier <tier>", "plan of the key").choices(TIERS).makeOptionMandatory())
  .requiredOption("--label <text>", "whom the key is for, 1 to 100 characters")
  .addOption(json())
  .action(async ({ tier, label, ...output }: { tier: Tier; label: string } & OutputOptions) => {
    const input = { tier, label: parse(LabelInput, "--label", label) };
    printIssued(await withContext((ctx) => issueKey(ctx, input)), output);
  });

program
  .command("list")
  .description("all keys, newest first")
  .addOption(json())
  .action(async (output: OutputOptions) => printRecords(await withContext(listKeys), output));

program
  .command("show <id>")
  .description("one key")
  .addOption(json())
  .action(async (id: string, output: OutputOptions) =>
    printRecord(await withContext((ctx) => findKey(ctx, id)), output),
  );

program
  .command("usage <id>")
  .description("what a key has used: requests of the last 30 days, answers of the last 7, creators, alerts")
  .addOption(json())
  .action(async (id: string, output: OutputOptions) => {
    const usage = await withContext((ctx) => readUsage(ctx, id));
    print(output, usage, usageTables(usage));
  });

program
  .command("set-tier <id> <tier>")
  .description(`move a key to another tier (${TIERS.join(", ")}), from its next request on`)
  .addOption(json())
  .action(async (id: string, given: string, output: OutputOptions) => {
    const tier = parse(TierInput, "tier", given);
    printRecord(await withContext((ctx) => setTier(ctx, id, tier)), output);
  });

program
  .command("revoke <id>")
  .description("end a key at once; its data stays")
  .addOption(json())
  .action(async (id: string, output: OutputOptions) =>
    printRecord(await withContext((ctx) => revokeKey(ctx, id)), output),
  );

program
  .command("rotate <id>")
  .description("give a key a new secret, printed once; the old one ends at once")
  .addOption(json())
  .action(async (id: string, output: OutputOptions) =>
    printIssued(await withContext((ctx) => rotateKey(ctx, id)), output),
  );

program
  .command("delete <id>")
  .description("delete a key with all of its data: creators, alerts, address, counters")
  .option("--yes", "do not ask")
  .addOption(json())
  .action(async (id: string, { yes, ...output }: { yes?: boolean } & OutputOptions) => {
    const deleted = await withContext(async (ctx) => {
      const record = await findKey(ctx, id);
      const data = await countKeyData(ctx, record.id);
      if (!yes)
        await confirm(
          `Delete "${record.label}" with ${data.creators} tracked creators and ${data.alerts} alerts?`,
        );
      await deleteKey(ctx, id);
      return record;
    });
    print(output, { id, deleted: true }, `Deleted ${id} (${deleted.label}) with all of its data.`);
  });

async function readUsage(ctx: CoreContext, id: string) {
  const record = await findKey(ctx, id);
  const days = await requestsPerDay(ctx, USAGE_DAYS, record.id);
  return {
    ...asJson(record),
    ...(await countKeyData(ctx, record.id)),
    requests: days.map(({ day, requests }) => ({ day, requests })),
    answers: await countStatuses(ctx, record.id),
  };
}

function usageTables(usage: Awaited<ReturnType<typeof readUsage>>): string {
  const { id, label, tier, requests_per_day, creators, alerts, requests, answers } = usage;
  const whose = { id, label, tier: `${tier} (${requests_per_day}/day)`, creators, alerts };
  const perDay = requests.map(({ day, requests }) => [
    day,
    requests,
    `${Math.round((100 * requests) / requests_per_day)} %`,
  ]);
  return [
    facts(whose),
    perDay.length > 0
      ? table(["day (UTC)", "requests", "of the limit"], perDay)
      : `No request in the last ${USAGE_DAYS} days.`,
    ...(answers.length > 0
      ? [
          table(
            [`answers of the last ${KEPT_DAYS} days`, "requests"],
            answers.map(({ status, requests }) => [status, requests]),
          ),
        ]
      : []),
  ].join("\n\n");
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new OperatorError("Nothing was deleted: there is no terminal to ask in; add --yes");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${question} Type "yes": `).catch(() => "");
  terminal.close();
  if (answer.trim() !== "yes") throw new OperatorError("Nothing was deleted");
}

function parse<Schema extends z.ZodType>(schema: Schema, name: string, value: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${name} ${parsed.error.issues[0]?.message} (given ${JSON.stringify(value)})`);
}

function printIssued({ record, secret }: IssuedKey, output: OutputOptions): void {
  const { id, ...rest } = asJson(record);
  print(
    output,
    { id, key: secret, ...rest },
    `${asTable([record])}\n\nThe key, shown this once:\n  ${secret}`,
  );
}

function printRecord(record: KeyRecord, output: OutputOptions): void {
  print(output, asJson(record), asTable([record]));
}

function printRecords(records: KeyRecord[], output: OutputOptions): void {
  print(
    output,
    records.map(asJson),
    records.length > 0 ? asTable(records) : "No keys yet. Make one: npm run keys -- issue",
  );
}

function print({ json }: OutputOptions, value: object, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
}

function asJson(record: KeyRecord) {
  return {
    id: record.id,
    tier: record.tier,
    label: record.label,
    hint: record.hint,
    requests_per_day: TIER_LIMITS[record.tier],
    created_at: record.createdAt.toISOString(),
    rotated_at: record.rotatedAt?.toISOString() ?? null,
    revoked_at: record.revokedAt?.toISOString() ?? null,
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
  };
}

function asTable(records: KeyRecord[]): string {
  return table(
    ["id", "label", "tier", "key", "state", "created (UTC)", "last used (UTC)"],
    records.map((record) => [
      record.id,
      record.label,
      `${record.tier} (${TIER_LIMITS[record.tier]}/day)`,
      record.hint,
      record.revokedAt ? `revoked ${minute(record.revokedAt)}` : "active",
      minute(record.createdAt),
      record.lastUsedAt ? minute(record.lastUsedAt) : "never",
    ]),
  );
}

function minute(at: Date): string {
  return at.toISOString().slice(0, 16).replace("T", " ");
}

closeOnSignal();
await runCommand(async () => {
  await program.parseAsync();
});
