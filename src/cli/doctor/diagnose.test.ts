import { afterEach, describe, expect, inject, it } from "vitest";
import { readEnv } from "@/core/env";
import { createLog } from "@/core/log/log";
import { instant, systemClock } from "@/core/time";
import { type AnsweringServer, type FixedAnswer, serveAnswers } from "@/test/answering-server";
import { createTestDatabase, startRefusingServer } from "@/test/database";
import { diagnose } from "./diagnose";
import type { Finding } from "./finding";

const SECRETS = {
  UPSTASH_REDIS_REST_TOKEN: "redis_token_51c7",
  YOUTUBE_API_KEY: "AIza_youtube_key_51c7",
  RESEND_API_KEY: "re_resend_key_51c7",
  INNGEST_EVENT_KEY: "inngest_event_key_51c7",
  INNGEST_SIGNING_KEY: "signkey-prod-51c751c751c7",
  SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL_51c7",
};

const HEALTHY = {
  "/redis": { status: 200, body: '{"result":1}' },
  "/youtube/channels": { status: 200, body: '{"items":[{"id":"UC"}]}' },
  "/resend/domains": {
    status: 200,
    body: '{"data":[{"name":"growth.example","status":"verified"},{"name":"other.example","status":"pending"}]}',
  },
  "/hook_51c7": { status: 400, body: "no_text" },
  "/inngest/e/inngest_event_key_51c7": { status: 200, body: '{"ids":[],"status":200}' },
  "/inngest/v1/events": { status: 200, body: '{"data":[]}' },
  "/app/api/health": { status: 200, body: '{"status":"ok"}' },
} satisfies Record<string, FixedAnswer>;

type Path = keyof typeof HEALTHY;

describe("doctor", () => {
  let servers: AnsweringServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.close()));
    servers = [];
  });

  interface Setup {
    answers?: Partial<Record<Path, FixedAnswer>>;
    variables?: Record<string, string>;
    /** How far this machine's clock is ahead, in milliseconds. */
    ahead?: number;
  }

  /** Examines a service of which every part is real, save what the setup breaks. */
  async function examine({ answers, variables, ahead = 0 }: Setup = {}) {
    const server = await serveAnswers({ ...HEALTHY, ...answers });
    servers.push(server);
    const env = readEnv({
      NODE_ENV: "test",
      DATABASE_URL: inject("databaseUrl"),
      UPSTASH_REDIS_REST_URL: `${server.url}/redis`,
      YOUTUBE_API_URL: `${server.url}/youtube`,
      RESEND_BASE_URL: `${server.url}/resend`,
      RESEND_WEBHOOK_SECRET: "whsec_51c7",
      ALERT_EMAIL_FROM: "Creator Growth <alerts@growth.example>",
      INNGEST_BASE_URL: `${server.url}/inngest`,
      MONITORING_WEBHOOK_URL: `${server.url}/hook_51c7`,
      APP_URL: "https://growth.invalid",
      ...SECRETS,
      ...variables,
    });
    const clock = { now: () => instant(systemClock.now().getTime() + ahead) };
    const found = await diagnose(env, { clock, log: createLog({ level: "silent" }) });
    return { found, server };
  }

  const faults = (found: Finding[]) => found.filter(({ state }) => state === "wrong");

  it("finds nothing wrong where nothing is, and changes nothing by looking", async () => {
    const { found, server } = await examine();
    expect(faults(found)).toEqual([]);
    expect(found.map(({ part }) => part)).toEqual([
      "database",
      "daily quota",
      "jobs",
      "jobs",
      "video platform",
      "email",
      "monitoring channel",
      "address",
      "signatures",
      "clock",
    ]);
    const asked = server.received.map(({ method, path, body }) => `${method} ${path} ${body}`).sort();
    expect(asked).toEqual([
      "GET /inngest/v1/events?limit=1 ",
      "GET /resend/domains ",
      "GET /youtube/channels?part=id&fields=items(id)&id=UCBR8-60-B28hp2BmDPdntcQ ",
      "POST /hook_51c7 {}",
      "POST /inngest/e/inngest_event_key_51c7 []",
      'POST /redis ["EVAL","return 1","0"]',
    ]);
  });

  it("never sends the signing key itself", async () => {
    const { server } = await examine();
    const { authorization } = server.received.find(({ path }) => path.includes("/v1/events"))?.headers ?? {};
    expect(authorization).toMatch(/^Bearer signkey-prod-[0-9a-f]{64}$/);
    expect(authorization).not.toContain("51c751c751c7");
  });

  const answer = (path: Path, status: number, body: string): Setup => ({
    answers: { [path]: { status, body } },
  });
  const youtube = (reason: string, status = 403) =>
    answer("/youtube/channels", status, `{"error":{"errors":[{"reason":"${reason}"}]}}`);
  const database = (change: (url: URL) => void): Setup => {
    const url = new URL(inject("databaseUrl"));
    change(url);
    return { variables: { DATABASE_URL: url.href } };
  };
  const CLOSED = "http://127.0.0.1:1";

  const BROKEN: [string, () => Setup, string, RegExp][] = [
    [
      "a wrong database password",
      () => database((url) => Object.assign(url, { password: "guess" })),
      "database",
      /^DATABASE_URL has a user or password/,
    ],
    [
      "a database that does not exist",
      () => database((url) => Object.assign(url, { pathname: "/nothing" })),
      "database",
      /^DATABASE_URL names a database that does not exist$/,
    ],
    [
      "a port without a database",
      () => database((url) => Object.assign(url, { port: "1" })),
      "database",
      /^DATABASE_URL names a host and port where no database listens$/,
    ],
    [
      "TLS where the database has none",
      () => database((url) => url.searchParams.set("sslmode", "require")),
      "database",
      /^DATABASE_URL leads to a server that breaks off: is sslmode right/,
    ],
    [
      "an unknown sslmode",
      () => database((url) => url.searchParams.set("sslmode", "maybe")),
      "database",
      /^DATABASE_URL has an unknown sslmode/,
    ],
    [
      "a pooler without a direct address",
      () => database((url) => url.searchParams.set("pgbouncer", "true")),
      "database",
      /^DIRECT_DATABASE_URL must be the database's own address/,
    ],
    [
      "a wrong direct address",
      () => ({ variables: { DIRECT_DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" } }),
      "database",
      /^DIRECT_DATABASE_URL names a host and port where/,
    ],
    [
      "a wrong Redis token",
      () => answer("/redis", 401, '{"error":"WRONGPASS invalid or missing auth token"}'),
      "daily quota",
      /^UPSTASH_REDIS_REST_TOKEN is not the token of/,
    ],
    [
      "a read-only Redis token",
      () => answer("/redis", 400, '{"error":"NOPERM this user has no permissions to run the eval command"}'),
      "daily quota",
      /^UPSTASH_REDIS_REST_TOKEN is the read-only token/,
    ],
    [
      "a Redis address of something else",
      () => answer("/redis", 200, "<html>"),
      "daily quota",
      /^UPSTASH_REDIS_REST_URL is not the REST address/,
    ],
    [
      "a Redis address of nothing",
      () => ({ variables: { UPSTASH_REDIS_REST_URL: CLOSED } }),
      "daily quota",
      /^UPSTASH_REDIS_REST_URL cannot be reached/,
    ],
    [
      "a spent Upstash plan",
      () => answer("/redis", 429, '{"error":"ERR max requests limit exceeded. Limit: 500000"}'),
      "daily quota",
      /^the requests of the Upstash plan/,
    ],
    [
      "a wrong YouTube key",
      () => youtube('badRequest"},{"reason":"API_KEY_INVALID', 400),
      "video platform",
      /^YOUTUBE_API_KEY is not a valid key$/,
    ],
    [
      "a YouTube API that is not enabled",
      () => youtube("accessNotConfigured"),
      "video platform",
      /^the YouTube Data API v3 is not enabled/,
    ],
    ["a spent YouTube quota", () => youtube("quotaExceeded"), "video platform", /^today's quota of/],
    [
      "a YouTube key for other addresses",
      () => youtube("ipRefererBlocked"),
      "video platform",
      /^YOUTUBE_API_KEY is restricted to other addresses/,
    ],
    [
      "a wrong Resend key",
      () => answer("/resend/domains", 403, '{"name":"invalid_api_key","message":"API key is invalid"}'),
      "email",
      /^RESEND_API_KEY is not a valid key$/,
    ],
    [
      "a sender of an unknown domain",
      () => ({ variables: { ALERT_EMAIL_FROM: "alerts@unknown.example" } }),
      "email",
      /^the domain of ALERT_EMAIL_FROM is not among/,
    ],
    [
      "a sender of an unverified domain",
      () => ({ variables: { ALERT_EMAIL_FROM: "alerts@other.example" } }),
      "email",
      /^the domain of ALERT_EMAIL_FROM is not verified/,
    ],
    [
      "a webhook that is gone",
      () => answer("/hook_51c7", 404, "no_service"),
      "monitoring channel",
      /^MONITORING_WEBHOOK_URL is a webhook that is gone .* \(HTTP 404\)/,
    ],
    [
      "a webhook address of a page",
      () => answer("/hook_51c7", 200, "<html>"),
      "monitoring channel",
      /^MONITORING_WEBHOOK_URL does not answer as a webhook/,
    ],
    [
      "a wrong event key",
      () => answer("/inngest/e/inngest_event_key_51c7", 404, '{"error":"Event key not found"}'),
      "jobs",
      /^INNGEST_EVENT_KEY is not a key of/,
    ],
    [
      "a wrong signing key",
      () => answer("/inngest/v1/events", 401, "Authentication failed"),
      "jobs",
      /^INNGEST_SIGNING_KEY is not the key of/,
    ],
    [
      "an address that only this machine reaches",
      () => ({ variables: { APP_URL: "http://localhost:3000" } }),
      "address",
      /^APP_URL must be an address that others reach/,
    ],
    [
      "an address without TLS",
      () => ({ variables: { APP_URL: "http://growth.example" } }),
      "address",
      /^APP_URL must begin with https/,
    ],
    [
      "a secret that can be guessed",
      () => ({ variables: { SESSION_SECRET: "abcabcabcabcabcabcabcabcabcabcabcabc" } }),
      "signatures",
      /^SESSION_SECRET can be guessed/,
    ],
    ["a clock that is fast", () => ({ ahead: 90_000 }), "clock", /^is (89|90|91) s fast/],
    ["a clock that is slow", () => ({ ahead: -90_000 }), "clock", /^is (89|90|91) s slow/],
  ];

  it.each(BROKEN)("tells %s", async (_, setup, part, says) => {
    const { found } = await examine(setup());
    expect(faults(found)).toEqual([expect.objectContaining({ part, says: expect.stringMatching(says) })]);
    expect(JSON.stringify(found)).not.toMatch(/51c7|127\.0\.0\.1/);
  });

  it("names the parameter that a pooler's address lacks", async () => {
    const pooler = await startRefusingServer("08P01", "unsupported startup parameter: statement_timeout");
    const { found } = await examine({ variables: { DATABASE_URL: pooler.url } });
    pooler.close();
    expect(found).toContainEqual(
      expect.objectContaining({
        part: "database",
        says: "DATABASE_URL leads to a pooler: add `?pgbouncer=true` to it",
      }),
    );
  });

  it("tells a database that lacks migrations", async () => {
    const { db, url, close } = await createTestDatabase();
    await db.execute("drop schema drizzle cascade");
    const { found } = await examine({ variables: { DATABASE_URL: url } });
    await close();
    expect(faults(found)).toMatchObject([
      { part: "database", says: expect.stringMatching(/^lacks 0000_first/) },
    ]);
  });

  it("notes what a pooler's sessions lack", async () => {
    const direct = inject("databaseUrl");
    const { found } = await examine({
      variables: { DATABASE_URL: `${direct}?pgbouncer=true`, DIRECT_DATABASE_URL: direct },
    });
    expect(faults(found)).toEqual([]);
    const notes = found.filter(({ part, state }) => part === "database" && state === "note");
    expect(notes.map(({ says }) => says)).toEqual([
      "statements may run forever: alter role <role of DATABASE_URL> set statement_timeout = '30s'",
      "an instance halted in a transaction may keep its locks forever: alter role <role of DATABASE_URL> set idle_in_transaction_session_timeout = '60s'",
    ]);
  });

  it("notes what it could not check, and what is wanting", async () => {
    const restricted = { status: 401, body: '{"name":"restricted_api_key"}' };
    const { found } = await examine({
      answers: { "/resend/domains": restricted },
      variables: { RESEND_WEBHOOK_SECRET: "" },
    });
    expect(faults(found)).toEqual([]);
    const notes = found.filter(({ part, state }) => part === "email" && state === "note");
    expect(notes.map(({ says }) => says)).toEqual([
      "the key may only send, so the sender's domain could not be checked",
      "RESEND_WEBHOOK_SECRET is not set: bounces and complaints are not heard of",
    ]);
  });
});
