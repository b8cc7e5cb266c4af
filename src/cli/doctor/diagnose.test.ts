import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, inject, it } from "vitest";
import { readEnv } from "@/core/env";
import type { Finding } from "@/core/http/check";
import { createLog } from "@/core/log/log";
import { systemClock, toDate } from "@/core/time";
import { createTestDatabase, startRefusingServer } from "@/test/database";
import { type FixedAnswer, type StandIn, startStandIn, toResponse } from "@/test/stand-in";
import { storePort } from "../port";
import { diagnose } from "./diagnose";

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

/** Starts a server that answers by the longest matching beginning of the path. */
function serveAnswers(answers: Record<string, FixedAnswer>): Promise<StandIn> {
  const beginnings = Object.keys(answers).sort((one, other) => other.length - one.length);
  return startStandIn({
    answer: (_, { url }) => {
      const found = beginnings.find((beginning) => url.startsWith(beginning)) ?? "";
      return toResponse(answers[found] ?? { status: 404, body: "not found" });
    },
  });
}

describe("doctor", () => {
  let servers: StandIn[] = [];
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    servers = [];
  });

  interface Setup {
    answers?: Partial<Record<Path, FixedAnswer>>;
    variables?: Record<string, string>;
    /** How far this machine's clock is ahead, in milliseconds. */
    ahead?: number;
  }

  /** Examines a service with every real part, broken as the setup says. */
  async function runDoctor({ answers, variables, ahead = 0 }: Setup = {}) {
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
    const clock = { now: () => toDate(systemClock.now().getTime() + ahead) };
    const found = await diagnose(env, { clock, log: createLog({ level: "silent" }) });
    return { found, server };
  }

  const listFaults = (found: Finding[]) => found.filter(({ state }) => state === "wrong");

  it("finds no problem in a healthy setup, and changes nothing", async () => {
    const { found, server } = await runDoctor();
    expect(listFaults(found)).toEqual([]);
    expect(found.map(({ part: subject }) => subject)).toEqual([
      "database",
      "daily quota",
      "jobs",
      "jobs",
      "video platform",
      "email",
      "monitoring channel",
      "address",
      "address",
      "signatures",
      "contact",
      "clock",
    ]);
    const calls = server.calls.map(({ method, url, body }) => `${method} ${url} ${body}`).sort();
    expect(calls).toEqual([
      "GET /inngest/v1/events?limit=1 ",
      "GET /resend/domains ",
      "GET /youtube/channels?part=id&fields=items(id)&id=UCBR8-60-B28hp2BmDPdntcQ ",
      "POST /hook_51c7 {}",
      "POST /inngest/e/inngest_event_key_51c7 []",
      'POST /redis ["EVAL","return 1","0"]',
    ]);
  });

  it("notes a reverse proxy whose forwarded addresses are not trusted", async () => {
    const note = async (variables: Record<string, string>) => {
      const { found } = await runDoctor({ variables });
      return found.find(({ what }) => what === "TRUSTED_PROXIES");
    };
    expect(await note({})).toMatchObject({
      state: "note",
      says: expect.stringContaining("address of your reverse proxy"),
    });
    expect(await note({ TRUSTED_PROXIES: "10.0.0.1" })).toMatchObject({ state: "ok" });
  });

  it("sends the signing key only as a hash", async () => {
    const { server } = await runDoctor();
    const { authorization } = server.calls.find(({ path }) => path.includes("/v1/events"))?.headers ?? {};
    expect(authorization).toMatch(/^Bearer signkey-prod-[0-9a-f]{64}$/);
    expect(authorization).not.toContain("51c751c751c7");
  });

  const answer = (path: Path, status: number, body: string): Setup => ({
    answers: { [path]: { status, body } },
  });
  const createYoutubeError = (reason: string, status = 403) =>
    answer("/youtube/channels", status, `{"error":{"errors":[{"reason":"${reason}"}]}}`);
  const createDatabaseSetup = (change: (url: URL) => void): Setup => {
    const url = new URL(inject("databaseUrl"));
    change(url);
    return { variables: { DATABASE_URL: url.href } };
  };
  const CLOSED = "http://127.0.0.1:1";

  const BROKEN: [string, () => Setup, string, RegExp][] = [
    [
      "a wrong database password",
      () => createDatabaseSetup((url) => Object.assign(url, { password: "guess" })),
      "database",
      /^DATABASE_URL has a wrong user or password$/,
    ],
    [
      "a database that does not exist",
      () => createDatabaseSetup((url) => Object.assign(url, { pathname: "/nothing" })),
      "database",
      /^DATABASE_URL names a database that does not exist$/,
    ],
    [
      "a port without a database",
      () => createDatabaseSetup((url) => Object.assign(url, { port: "1" })),
      "database",
      /^DATABASE_URL names a host and port where no database listens$/,
    ],
    [
      "TLS where the database has none",
      () => createDatabaseSetup((url) => url.searchParams.set("sslmode", "require")),
      "database",
      /^DATABASE_URL names a server that drops the connection: check sslmode$/,
    ],
    [
      "an unknown sslmode",
      () => createDatabaseSetup((url) => url.searchParams.set("sslmode", "maybe")),
      "database",
      /^DATABASE_URL has an unknown sslmode/,
    ],
    [
      "a pooler without a direct address",
      () => createDatabaseSetup((url) => url.searchParams.set("pgbouncer", "true")),
      "database",
      /^DIRECT_DATABASE_URL must not be a pooler/,
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
      "a web page as the Redis address",
      () => answer("/redis", 200, "<html>"),
      "daily quota",
      /^unexpected answer of Upstash Redis \(HTTP 200\): check UPSTASH_REDIS_REST_URL$/,
    ],
    [
      "a Redis address where no server listens",
      () => ({ variables: { UPSTASH_REDIS_REST_URL: CLOSED } }),
      "daily quota",
      /^Upstash Redis cannot be reached \(no connection\): check UPSTASH_REDIS_REST_URL$/,
    ],
    [
      "a used-up Upstash plan",
      () => answer("/redis", 429, '{"error":"ERR max requests limit exceeded. Limit: 500000"}'),
      "daily quota",
      /^the requests of the Upstash plan/,
    ],
    [
      "a wrong YouTube key",
      () => createYoutubeError('badRequest"},{"reason":"API_KEY_INVALID', 400),
      "video platform",
      /^YOUTUBE_API_KEY is not a valid key$/,
    ],
    [
      "a YouTube API that is not enabled",
      () => createYoutubeError("accessNotConfigured"),
      "video platform",
      /^enable the YouTube Data API v3 in the project of YOUTUBE_API_KEY$/,
    ],
    ["a used-up YouTube quota", () => createYoutubeError("quotaExceeded"), "video platform", /^today's quota of/],
    [
      "a YouTube key of other addresses",
      () => createYoutubeError("ipRefererBlocked"),
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
      /^the domain of ALERT_EMAIL_FROM is not in the Resend account/,
    ],
    [
      "a sender of an unverified domain",
      () => ({ variables: { ALERT_EMAIL_FROM: "alerts@other.example" } }),
      "email",
      /^the domain of ALERT_EMAIL_FROM is not verified/,
    ],
    [
      "a deleted webhook",
      () => answer("/hook_51c7", 404, "no_service"),
      "monitoring channel",
      /^the webhook of MONITORING_WEBHOOK_URL does not exist/,
    ],
    [
      "a web page as the webhook",
      () => answer("/hook_51c7", 200, "<html>"),
      "monitoring channel",
      /^unexpected answer of webhook \(HTTP 200\): check MONITORING_WEBHOOK_URL$/,
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
      /^APP_URL must be a public address/,
    ],
    [
      "an address with a path",
      () => ({ variables: { APP_URL: "https://growth.example/service" } }),
      "address",
      /^APP_URL must have no path/,
    ],
    [
      "an address without TLS",
      () => ({ variables: { APP_URL: "http://growth.example" } }),
      "address",
      /^APP_URL must begin with https/,
    ],
    [
      "a secret that is easy to guess",
      () => ({ variables: { SESSION_SECRET: "abcabcabcabcabcabcabcabcabcabcabcabc" } }),
      "signatures",
      /^is easy to guess: make one with `openssl/,
    ],
    ["a clock that is fast", () => ({ ahead: 90_000 }), "clock", /^is (89|90|91) s fast/],
    ["a clock that is slow", () => ({ ahead: -90_000 }), "clock", /^is (89|90|91) s slow/],
  ];

  it.each(BROKEN)("reports %s", async (_, setup, subject, says) => {
    const { found } = await runDoctor(setup());
    expect(listFaults(found)).toEqual([expect.objectContaining({ part: subject, says: expect.stringMatching(says) })]);
    expect(JSON.stringify(found)).not.toMatch(/51c7|127\.0\.0\.1/);
  });

  it("reports the parameter missing from a pooler's address", async () => {
    const pooler = await startRefusingServer("08P01", "unsupported startup parameter: statement_timeout");
    const { found } = await runDoctor({ variables: { DATABASE_URL: pooler.url } });
    pooler.close();
    expect(found).toContainEqual(
      expect.objectContaining({
        part: "database",
        says: "DATABASE_URL leads to a pooler: add `?pgbouncer=true` to it",
      }),
    );
  });

  it("reports a database that lacks migrations", async () => {
    const { db, url, close } = await createTestDatabase();
    await db.execute("drop schema drizzle cascade");
    const { found } = await runDoctor({ variables: { DATABASE_URL: url } });
    await close();
    expect(listFaults(found)).toMatchObject([{ part: "database", says: expect.stringMatching(/^lacks 0000_initial/) }]);
  });

  it("notes session limits that a pooler drops", async () => {
    const direct = inject("databaseUrl");
    const { found } = await runDoctor({
      variables: { DATABASE_URL: `${direct}?pgbouncer=true`, DIRECT_DATABASE_URL: direct },
    });
    expect(listFaults(found)).toEqual([]);
    const notes = found.filter(({ part: subject, state }) => subject === "database" && state === "note");
    expect(notes.map(({ says }) => says)).toEqual([
      "statements have no time limit: alter role <role of DATABASE_URL> set statement_timeout = '30s'",
      "a transaction of a stopped instance may keep its locks: alter role <role of DATABASE_URL> set idle_in_transaction_session_timeout = '60s'",
    ]);
  });

  it("finds the port of a service that runs on the same data folder", async () => {
    const server = await serveAnswers({ "/api/health": HEALTHY["/app/api/health"] });
    servers.push(server);
    const dataDir = await mkdtemp(path.join(tmpdir(), "doctor-"));
    storePort(dataDir, Number(new URL(server.url).port), createLog({ level: "silent" }));
    const env = readEnv({ NODE_ENV: "test", DATABASE_URL: inject("databaseUrl"), DATA_DIR: dataDir }, false);
    const found = await diagnose(env, { clock: systemClock, log: createLog({ level: "silent" }) });
    expect(found).toContainEqual({ part: "address", what: "this service", state: "ok", says: "answers at APP_URL" });
    await rm(dataDir, { recursive: true });
  });

  it("notes outbox, log and sample data beside a hosted database", async () => {
    const unset = ["RESEND_API_KEY", "ALERT_EMAIL_FROM", "RESEND_BASE_URL", "RESEND_WEBHOOK_SECRET", "YOUTUBE_API_KEY"];
    const variables = [...unset, "YOUTUBE_API_URL", "MONITORING_WEBHOOK_URL"].map((name) => [name, ""]);
    const { found } = await runDoctor({ variables: Object.fromEntries(variables) });
    const notes = found.filter(
      ({ what, state }) => ["outbox", "log", "sample platform"].includes(what) && state === "note",
    );
    expect(notes.map(({ part }) => part).sort()).toEqual(["email", "monitoring channel", "video platform"]);
  });

  it("notes what it could not check and what is not set", async () => {
    const restricted = { status: 401, body: '{"name":"restricted_api_key"}' };
    const { found } = await runDoctor({
      answers: { "/resend/domains": restricted },
      variables: { RESEND_WEBHOOK_SECRET: "" },
    });
    expect(listFaults(found)).toEqual([]);
    const notes = found.filter(({ part: subject, state }) => subject === "email" && state === "note");
    expect(notes.map(({ says }) => says)).toEqual([
      "RESEND_API_KEY may only send: the sender's domain was not checked",
      "RESEND_WEBHOOK_SECRET is not set: the service does not learn of bounces and complaints",
    ]);
  });
});
