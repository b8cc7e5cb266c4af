import path from "node:path";
import { type BrowserContext, test as base, expect } from "@playwright/test";
import postgres from "postgres";
import { connect } from "@/db/client";
import type { CoreContext } from "@/db/context";
import { TIER_RULES } from "@/features/usage/tiers.rules";
import { createGrowthClient, type GrowthClient } from "../src/client/client";
import { createLog } from "../src/core/log/log";
import { readOutbox } from "../src/core/mail/outbox";
import { systemClock } from "../src/core/time";
import { issueKey } from "../src/features/keys/service";
import type { StandIns } from "../src/test/stand-ins";
import { type Answer, type Client, createClient } from "./client";
import {
  createDataDirPath,
  DATA_DIR,
  type Exit,
  getBaseUrl,
  getDatabaseUrl,
  getOwnPort,
  isAlive,
  isOnStandIns,
  PORT,
  type Product,
  removeDataDir,
  runNpm,
  startProduct,
  type Tier,
} from "./product";

/** A client with its own key. */
export interface KeyClient extends Client {
  key: string;
  /** The typed client, where no raw request is needed. */
  growth: GrowthClient;
  /** Key id, for the operator's commands. */
  keyId: string;
}

/** Runs products for one test and stops them at its end. */
export interface Site {
  dataDir: string;
  port: number;
  /** The products' variables, with their own stand-ins where the suite uses stand-ins. */
  env: Record<string, string>;
  /** @param env added to the default variables */
  start(env?: Record<string, string>): Promise<Product>;
  /** Runs an operator's command on this data folder. */
  runNpm(script: string, args: readonly string[]): Promise<Exit>;
  /** Services started here that are still running. */
  running(): Product[];
  /** A client with a new key for this product. */
  newClient(tier: Tier): Promise<KeyClient>;
  /** The emails these products sent. */
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
  /** A Pro key shared by one worker's tests, for tests that do not depend on its state. */
  pro: KeyClient;
  /** The browser's profile of one worker's specs: what it cached and compiled for one spec serves the next. */
  profile: BrowserContext;
}

/** Runs a verb of `keys` without starting the command, which would take most of the suite's time. */
export async function runKeysVerb<T>(verb: (ctx: CoreContext) => Promise<T>, dataDir = DATA_DIR): Promise<T> {
  const { db, close } = connect(getDatabaseUrl(dataDir));
  const ctx = { db, clock: systemClock, log: createLog({ level: "warn", to: "stderr" }) };
  return verb(ctx).finally(close);
}

export async function createClientWithKey(tier: Tier, dataDir = DATA_DIR, port = PORT): Promise<KeyClient> {
  const input = { tier, label: `e2e ${tier}` };
  const { record, secret } = await runKeysVerb((ctx) => issueKey(ctx, input), dataDir);
  return toKeyClient(port, { id: record.id, key: secret });
}

function toKeyClient(port: number, { id, key }: { id: string; key: string }): KeyClient {
  const growth = createGrowthClient({ baseUrl: getBaseUrl(port), apiKey: key });
  return { ...createClient(port, key), key, keyId: id, growth };
}

/** A client without a key. */
export const anonymous = createClient(PORT, null);

/** What a page can store; all but what the browser compiled. */
const STORAGES = "cookies,local_storage,indexeddb,cache_storage,service_workers";

/** Leaves nothing of a spec in the profile but what was cached. The first page, a blank one, keeps the browser open. */
async function resetProfile(profile: BrowserContext): Promise<void> {
  const [blank, ...opened] = profile.pages();
  for (const page of opened) await page.close();
  await profile.unrouteAll();
  await profile.setOffline(false);
  await profile.clearCookies();
  await profile.clearPermissions();
  const session = await profile.newCDPSession(requireValue(blank));
  await session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: STORAGES });
  await session.detach();
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  api: async ({}, use) => use(await createClientWithKey("free")),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  pro: [async ({}, use) => use(await createClientWithKey("pro")), { scope: "worker" }],
  profile: [
    async ({ playwright }, use, { project }) => {
      const { launchOptions, contextOptions, ...options } = project.use;
      const profile = await playwright.chromium.launchPersistentContext("", {
        ...launchOptions,
        ...contextOptions,
        ...options,
      });
      await use(profile);
      await profile.close();
    },
    { scope: "worker" },
  ],
  browser: [async ({ profile }, use) => use(requireValue(profile.browser())), { scope: "worker" }],
  context: async ({ profile }, use) => {
    await use(profile);
    await resetProfile(profile);
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a pattern and reads the names in it
  standIns: async ({}, use) => {
    // Most specs need none.
    const { startStandIns } = await import("../src/test/stand-ins");
    const standIns = await startStandIns();
    await use(standIns);
    await standIns.stop();
  },
  site: async ({ standIns }, use, info) => {
    const dataDir = createDataDirPath();
    const own = isOnStandIns ? standIns.variables : {};
    const port = getOwnPort(info.parallelIndex);
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
      runNpm: (script, args) => runNpm(script, args, dataDir, own),
      newClient: (tier) => createClientWithKey(tier, dataDir, port),
      mails: () => (isOnStandIns ? listSentMails(standIns) : listOutboxMails(dataDir)),
    });
    for (const product of started) {
      const { stdout, stderr } = await product.kill();
      if (info.status !== info.expectedStatus) process.stderr.write(`${info.title}: ${stdout}${stderr}`);
    }
    await removeDataDir(dataDir);
  },
});

async function listSentMails({ resend }: StandIns): Promise<Mail[]> {
  return resend.accepted.map(({ mail: { to, subject, html = "", text = "" } }) => ({
    to: to.join(),
    subject,
    html,
    text,
  }));
}

async function listOutboxMails(dataDir: string): Promise<Mail[]> {
  const files = await readOutbox(path.join(dataDir, "outbox"), 100);
  return files.map(({ mail }) => mail);
}

export { expect };

/** @throws Error when the value is missing */
export function requireValue<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("A value that must be there is missing");
  return value;
}

/** Requests counted today, this one included. */
export async function getRequestsToday(client: Client): Promise<number> {
  const { status, body } = await client.get("/api/usage");
  expect(status).toBe(200);
  return requireValue(body.requests_today);
}

/** Uses up a Free key's daily quota. */
export async function spendDay({ keyId }: KeyClient): Promise<void> {
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  await sql`
    insert into daily_usage (key_id, day, requests, last_request_at)
    values (${keyId}, (now() at time zone 'UTC')::date, ${TIER_RULES.free.requestsPerDay}, now())
    on conflict (key_id, day) do update set requests = excluded.requests`;
  await sql.end();
}

const CODE = /^[a-z_]+$/;

/** Expects an error in the API's format. */
export function expectError(answer: Answer, status: number): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body).toEqual({ error: expect.stringMatching(/\S+ \S+/), code: expect.stringMatching(CODE) });
  expectRequestId(answer);
}

/** Expects a validation error for one field. */
export function expectInvalid(answer: Answer, field: string): void {
  expect(answer.status, answer.text).toBe(400);
  const issues = [{ field, message: expect.stringMatching(/^(must|is required|cannot|Send)/) }];
  expect(answer.body).toEqual({ error: expect.stringContaining(field), code: expect.stringMatching(CODE), issues });
  expectRequestId(answer);
}

/** Expects the response for invalid keys. */
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
