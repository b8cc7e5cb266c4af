import { createInterface } from "node:readline/promises";
import { type Command, Option } from "commander";
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
import { createProgram, jsonOption, type Output, print, runProgram, withContext } from "./command";
import { facts, table } from "./table";

const USAGE_DAYS = 30;

const program = createProgram("keys -- <command>", "Issue and manage API keys.").addHelpText(
  "after",
  `\nExamples:
  npm run keys -- issue --tier starter --label "Acme Scouts"
  npm run --silent keys -- list --json
  npm run keys -- set-tier key_1a2b pro`,
);

add("issue", "issue a key; its secret is shown once")
  .addOption(new Option("--tier <tier>", "tier of the key").choices(TIERS).makeOptionMandatory())
  .requiredOption("--label <text>", "who the key is for, 1 to 100 characters")
  .action(async ({ tier, label, ...output }: { tier: Tier; label: string } & Output) => {
    const input = { tier, label: parse(LabelInput, "--label", label) };
    printIssued(output, await withContext((ctx) => issueKey(ctx, input)));
  });

add("list", "list all keys, newest first").action(async (output: Output) => {
  const records = await withContext(listKeys);
  const text = records.length > 0 ? asTable(records) : "No keys yet. Issue one: npm run keys -- issue";
  print(output, records.map(asJson), text);
});

add("show <id>", "show a key").action(async (id: string, output: Output) =>
  printRecord(output, await withContext((ctx) => findKey(ctx, id))),
);

add("usage <id>", "show a key's requests, responses, creators and alerts").action(
  async (id: string, output: Output) => {
    const usage = await withContext((ctx) => readUsage(ctx, id));
    print(output, usage, usageText(usage));
  },
);

add("set-tier <id> <tier>", `move a key to another tier (${TIERS.join(", ")}), from its next request`).action(
  async (id: string, given: string, output: Output) => {
    const tier = parse(TierInput, "tier", given);
    printRecord(output, await withContext((ctx) => setTier(ctx, id, tier)));
  },
);

add("revoke <id>", "revoke a key now; its data stays").action(async (id: string, output: Output) =>
  printRecord(output, await withContext((ctx) => revokeKey(ctx, id))),
);

add("rotate <id>", "replace a key's secret now; the new one is shown once").action(
  async (id: string, output: Output) => printIssued(output, await withContext((ctx) => rotateKey(ctx, id))),
);

add("delete <id>", "delete a key with its creators, alerts, address and usage")
  .option("--yes", "do not ask for confirmation")
  .action(async (id: string, { yes, ...output }: { yes?: boolean } & Output) => {
    const { label } = await withContext(async (ctx) => {
      const record = await findKey(ctx, id);
      const { creators, alerts } = await countKeyData(ctx, record.id);
      if (!yes)
        await confirm(`Delete "${record.label}" with ${creators} tracked creators and ${alerts} alerts?`);
      await deleteKey(ctx, id);
      return record;
    });
    print(output, { id, deleted: true }, `Deleted ${id} (${label}) and all of its data.`);
  });

function add(usage: string, description: string): Command {
  return program.command(usage).description(description).addOption(jsonOption());
}

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

function usageText(usage: Awaited<ReturnType<typeof readUsage>>): string {
  const { id, label, tier, requests_per_day: limit, creators, alerts, requests, answers } = usage;
  const perDay = requests.map(({ day, requests }) => [
    day,
    requests,
    `${Math.round((100 * requests) / limit)}%`,
  ]);
  const perStatus = answers.map(({ status, requests }) => [status, requests]);
  return [
    facts({ id, label, tier: `${tier} (${limit}/day)`, creators, alerts }),
    perDay.length > 0
      ? table(["day (UTC)", "requests", "of the limit"], perDay)
      : `No requests in the last ${USAGE_DAYS} days.`,
    ...(perStatus.length > 0 ? [table([`status, last ${KEPT_DAYS} days`, "requests"], perStatus)] : []),
  ].join("\n\n");
}

async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new OperatorError("Nothing was deleted. Add --yes: there is no terminal to ask in");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await terminal.question(`${question} Type "yes": `).catch(() => "");
  terminal.close();
  if (reply.trim() !== "yes") throw new OperatorError("Nothing was deleted");
}

function parse<Schema extends z.ZodType>(schema: Schema, name: string, value: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${name} ${parsed.error.issues[0]?.message} (given ${JSON.stringify(value)})`);
}

function printIssued(output: Output, { record, secret }: IssuedKey): void {
  const { id, ...rest } = asJson(record);
  print(
    output,
    { id, key: secret, ...rest },
    `${asTable([record])}\n\nThe key. It is not shown again:\n  ${secret}`,
  );
}

function printRecord(output: Output, record: KeyRecord): void {
  print(output, asJson(record), asTable([record]));
}

function asJson({ id, tier, label, hint, createdAt, rotatedAt, revokedAt, lastUsedAt }: KeyRecord) {
  return {
    id,
    tier,
    label,
    hint,
    requests_per_day: TIER_LIMITS[tier],
    created_at: createdAt.toISOString(),
    rotated_at: rotatedAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}

function asTable(records: KeyRecord[]): string {
  return table(
    ["id", "label", "tier", "key", "state", "created (UTC)", "last used (UTC)"],
    records.map(({ id, label, tier, hint, revokedAt, createdAt, lastUsedAt }) => [
      id,
      label,
      `${tier} (${TIER_LIMITS[tier]}/day)`,
      hint,
      revokedAt ? `revoked ${toMinute(revokedAt)}` : "active",
      toMinute(createdAt),
      lastUsedAt ? toMinute(lastUsedAt) : "never",
    ]),
  );
}

function toMinute(at: Date): string {
  return at.toISOString().slice(0, 16).replace("T", " ");
}

await runProgram(program);
