import path from "node:path";
import { test as base, expect } from "@playwright/test";
import postgres from "postgres";
import { connect } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { TIER_LIMITS } from "@/features/usage/tiers.rules";
import { createGrowthClient, type GrowthClient } from "../src/client/client";
import { createLog } from "../src/core/log/log";
import { readOutbox } from "../src/core/mail/outbox";
import { systemClock } from "../src/core/time";
import { issueKey } from "../src/features/keys/service";
import { type StandIns, startStandIns } from "../src/test/stand-ins";
import { type Answer, type Client, createClient } from "./client";
import {
  baseUrl,
  DATA_DIR,
  databaseUrl,
  type Exit,
  isAlive,
  isOnStandIns,
  newDataDir,
  ownPort,
  PORT,
  type Product,
  removeDataDir,
  runNpm,
  startProduct,
  type Tier,
} from "./product";

/** A client with a key of its own. */
export interface KeyClient extends Client {
  key: string;
  /** The product's own typed client, for what needs no raw request. */
  growth: GrowthClient;
  /** Id of its key, for the operator's command. */
  keyId: string;
}

/** A place where a spec runs products of its own; they end with the test. */
export interface Site {
  dataDir: string;
  port: number;
  /** Variables of the products here: stand-ins of their own where the suite runs on stand-ins. */
  env: Record<string, string>;
  /** @param env variables besides those that every product gets */
  start(env?: Record<string, string>): Promise<Product>;
  /** Runs a command of the operator on what is here. */
  runNpm(script: string, words: readonly string[]): Promise<Exit>;
  /** Services started here that are still running. */
  running(): Product[];
  /** A client of the product that runs here, with a new key. */
  newClient(tier: Tier): Promise<KeyClient>;
  /** The mails of the products here, wherever they went. */
  mails(): Promise<Mail[]>;
}

interface Mail {
  to: string;
  subject: string;
  html: string;
  text: string;
}

interface TestFixtures {
  /** A new key of tier free. */
  api: KeyClient;
  /** Idle services. */
  standIns: StandIns;
  site: Site;
}

interface WorkerFixtures {
  /** A key of tier pro that the tests of one worker share, for what does not depend on a key's state. */
  pro: KeyClient;
}

/**
 * Runs a verb of the operator's `keys` command on a product's database. Specs of other things use it: starting the
 * command for each of hundreds of keys takes most of the suite's time.
 */
export async function operate<T>(verb: (ctx: CoreContext) => Promise<T>, dataDir = DATA_DIR): Promise<T> {
  const { db, close } = connect(databaseUrl(dataDir));
  const ctx = { db, clock: systemClock, log: createLog({ level: "warn", to: "stderr" }) };
  return verb(ctx).finally(close);
}

export async function newClient(tier: Tier, dataDir = DATA_DIR, port = PORT): Promise<KeyClient> {
  const input = { tier, label: `e2e ${tier}` };
  const { record, secret } = await operate((ctx) => issueKey(ctx, input), dataDir);
  return keyClient(port, { id: record.id, key: secret });
}

function keyClient(port: number, { id, key }: { id: string; key: string }): KeyClient {
  const growth = createGrowthClient({ baseUrl: baseUrl(port), apiKey: key });
  return { ...createClient(port, key), key, keyId: id, growth };
}

/** A client that has no key. */
export const stranger = createClient(PORT, null);

export const test = base.extend<TestFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  api: async ({}, use) => use(await newClient("free")),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  pro: [async ({}, use) => use(await newClient("pro")), { scope: "worker" }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  standIns: async ({}, use) => {
    const standIns = await startStandIns();
    await use(standIns);
    await standIns.stop();
  },
  site: async ({ standIns }, use, info) => {
    const dataDir = newDataDir();
    const own = isOnStandIns ? standIns.variables : {};
    const port = ownPort(info.parallelIndex);
    const started: Product[] = [];
    await use({
      dataDir,
      port,
      env: own,
      start: async (env) => {
        const product = await startProduct({ dataDir, port, env: { ...own, ...env } });
        started.push(product);
        return product;
      },
      running: () => started.filter(({ pid }) => isAlive(pid)),
      runNpm: (script, words) => runNpm(script, words, dataDir, own),
      newClient: (tier) => newClient(tier, dataDir, port),
      mails: () => (isOnStandIns ? sentMails(standIns) : outboxMails(dataDir)),
    });
    for (const product of started) {
      const { stdout, stderr } = await product.kill();
      if (info.status !== info.expectedStatus) process.stderr.write(`${info.title}: ${stdout}${stderr}`);
    }
    await removeDataDir(dataDir);
  },
});

async function sentMails({ resend }: StandIns): Promise<Mail[]> {
  return resend.accepted.map(({ mail: { to, subject, html = "", text = "" } }) => ({
    to: to.join(),
    subject,
    html,
    text,
  }));
}

async function outboxMails(dataDir: string): Promise<Mail[]> {
  const files = await readOutbox(path.join(dataDir, "outbox"), 100);
  return files.map(({ mail }) => mail);
}

export { expect };

/** A value that must be there. */
export function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("A value that must be there is missing");
  return value;
}

/** Requests counted for a key today, the one that asks included. */
export async function requestsToday(client: Client): Promise<number> {
  const { status, body } = await client.get("/api/usage");
  expect(status).toBe(200);
  return required(body.requests_today);
}

/** Has a key of tier free use up its day at once. */
export async function spendDay({ keyId }: KeyClient): Promise<void> {
  const sql = postgres(databaseUrl(DATA_DIR), { max: 1 });
  await sql`
    insert into daily_usage (key_id, day, requests, last_request_at)
    values (${keyId}, (now() at time zone 'UTC')::date, ${TIER_LIMITS.free}, now())
    on conflict (key_id, day) do update set requests = excluded.requests`;
  await sql.end();
}

/** The answer is a failure in the API's own form, with a sentence. */
export function expectError(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body).toEqual({ error: expect.stringMatching(/\S+ \S+/) });
  expectRequestId(answer);
}

/** The answer says that one field is wrong, and what would be right. */
export function expectInvalid(answer: Answer, field: string): void {
  expect(answer.status, answer.text).toBe(400);
  const issues = [{ field, message: expect.stringMatching(/^(must|is required)/) }];
  expect(answer.body).toEqual({ error: expect.stringContaining(field), issues });
  expectRequestId(answer);
}

/** The answer is the one that every invalid key gets. */
export function expectUnauthorized(answer: Answer): void {
  expect(answer.status, answer.text).toBe(401);
  expect(answer.body).toEqual({ error: "Invalid API key" });
  expectRequestId(answer);
  const names = [...answer.headers.keys()];
  expect(names.filter((name) => /ratelimit|retry-after/i.test(name))).toEqual([]);
}

export function expectRequestId({ headers }: Answer): void {
  expect(headers.get("x-request-id")).toMatch(/^[A-Za-z0-9_-]{8,64}$/);
}

/** Whole seconds until the UTC day ends. */
export function secondsToMidnight(): number {
  const now = new Date();
  return Math.ceil(
    (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime()) / 1000,
  );
}
