import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { DAY } from "@/core/time";
import { connect, type DatabaseConnection } from "@/db/client";
import { listChanges, purgeChanges } from "@/features/changes/service";
import { EXAMPLE_CREATOR } from "@/features/creators/query.schema";
import { TrackInput } from "@/features/creators/schema";
import { trackCreator, untrackCreators } from "@/features/creators/service";
import { createPostgresQuota } from "@/features/usage/quota.service";
import { CONTRACTS } from "@/server/api/endpoints";
import { installContext } from "@/server/context";
import { createDocumentCheck, listOperations } from "@/test/documented";
import { send } from "@/test/request";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";
import { buildOpenApiDocument } from "./openapi";
import { buildExampleUrl } from "./snippets";

const SITE = { appUrl: "https://growth.test", sample: true, hasSandbox: true };
const DOCUMENT = buildOpenApiDocument(SITE);
const OPEN = ["GET /api/health", "GET /api/status"];

const OPERATIONS = listOperations(DOCUMENT).flatMap(({ method, path, statuses }) =>
  statuses.map((status) => [method as "GET" | "POST" | "DELETE", path, status] as const),
);

it("OpenAPI document passes a linter without errors and warnings", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: JSON.stringify(DOCUMENT), config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

it("OpenAPI document describes every parameter and field, and names the operator", () => {
  const undescribed: string[] = [];
  const patterns: string[] = [];
  JSON.stringify(DOCUMENT, (name, value) => {
    if (name === "example") return undefined;
    const fields: [string, Described][] = Object.entries(value?.properties ?? {});
    undescribed.push(...fields.flatMap(([field, it]) => (it.description || it.$ref ? [] : [field])));
    if ((value?.in || value?.operationId) && !value.description) undescribed.push(value.name ?? value.operationId);
    if (typeof value?.pattern === "string") patterns.push(value.pattern);
    return value;
  });
  expect(undescribed).toEqual([]);
  // Unicode classes stop many tools.
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\p/i);
    expect(() => new RegExp(pattern, "u")).not.toThrow();
  }
  const buildContact = (value: string) => buildOpenApiDocument({ ...SITE, contact: value });
  const name = "Operator of this service";
  expect(DOCUMENT).toMatchObject({ info: { contact: { name, url: `${SITE.appUrl}/docs/authentication` } } });
  expect(buildContact("keys@growth.test")).toMatchObject({
    info: { contact: { name, email: "keys@growth.test" } },
  });
  expect(buildContact("https://a.test/b")).toMatchObject({
    info: { contact: { name, url: "https://a.test/b" } },
  });
});

it.each([
  "UCY8vMFsho8bt_uH0G7KX-bg",
  "@日本語",
  "@some.maker/videos",
  "https://www.youtube.com/channel/UCY8vMFsho8bt_uH0G7KX-bg?si=a",
  "youtube.com/@some.maker",
  "m.youtube.com/user/maker",
  "https://www.youtube.com/feeds/videos.xml?channel_id=UCY8vMFsho8bt_uH0G7KX-bg",
  "@猫",
])("channel pattern allows %s, and no other form", (channel) => {
  const { properties = {} } = z.toJSONSchema(TrackInput, { io: "input", unrepresentable: "any" });
  const { pattern } = z.object({ pattern: z.string() }).parse(properties.channel_id);
  expect(channel).toMatch(new RegExp(pattern));
  for (const other of [
    "",
    "maker",
    "@😀😀😀",
    "@sun☀maker",
    "@ab",
    "UCshort",
    "https://example.com/@some.maker",
    "youtu.be/watch",
  ])
    expect(other).not.toMatch(new RegExp(pattern));
});

interface Described {
  description?: string;
  $ref?: string;
}

it.each(CONTRACTS)("operation $id has an example that the service accepts", ({ example, ...contract }) => {
  expect(contract.answer.strict().safeParse(example.answer).error).toBeUndefined();
  expect(contract.params?.safeParse(example.params).error).toBeUndefined();
  expect(contract.body?.safeParse(example.body).error).toBeUndefined();
});

describe("responses of the service", () => {
  const service = useService();
  let key: TestKey;

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    installContext(service);
  });

  /** Produces each status, on any operation that has it. */
  const CAUSES: Record<number, (call: Call) => Promise<Call>> = {
    200: async (call) => {
      if (call.path !== "/api/track") await trackCreator(service, key.id, { kind: "handle", handle: HANDLE });
      return call;
    },
    400: async (call) =>
      call.body ? { ...call, body: "{" } : { ...call, headers: { "X-Test-Clock": "2030-01-01T12:00:00Z" } },
    401: async (call) => ({ ...call, key: undefined }),
    404: async (call) =>
      call.body ? { ...call, body: { channel_id: "@unknown.channel" } } : { ...call, path: call.unknown },
    405: async (call) => ({ ...call, method: "PUT" }),
    410: async (call) => {
      // Tracked 31 days ago, and purged since.
      await trackCreator(service, key.id, { kind: "handle", handle: HANDLE });
      const { next_after } = await listChanges(service, key.id, { after: "", limit: 1 });
      await untrackCreators(service, key.id, [EXAMPLE_CREATOR.channel_id]);
      service.clock.advance(31 * DAY);
      await purgeChanges(service);
      return { ...call, path: `/api/changes?after=${next_after}` };
    },
    413: async (call) => ({ ...call, body: `{"a":"${"x".repeat(16 * 1024)}"}` }),
    415: async (call) => ({ ...call, headers: { "Content-Type": "text/plain" } }),
    429: async (call) => {
      await Promise.all(Array.from({ length: 50 }, () => service.quota.take(key.id, 50)));
      return call;
    },
    // An empty database, and an unreachable one.
    500: (call) => callOnDatabase(Object.assign(new URL(service.databaseUrl), { pathname: "/postgres" }).href, call),
    503: (call) => callOnDatabase("postgres://user@127.0.0.1:1/nothing", call),
  };
  const HANDLE = "@juniperfivecrits";
  /** Queries that name something that is not there. */
  const UNKNOWN: Record<string, string> = {
    "/api/track": "/api/track?list=None",
    "/api/alerts": "/api/alerts?after=00000000-0000-4000-8000-000000000000",
    "/api/changes": "/api/changes?after=MQ",
  };

  interface Call {
    method: "GET" | "POST" | "PUT" | "DELETE";
    path: string;
    /** The same path with a resource that is not there. */
    unknown: string;
    key: string | undefined;
    body?: unknown;
    headers?: Record<string, string>;
  }

  const others: DatabaseConnection[] = [];
  afterAll(() => Promise.all(others.map(({ close }) => close())));

  async function callOnDatabase(url: string, call: Call): Promise<Call> {
    const other = connect(url);
    others.push(other);
    installContext({ ...service, db: other.db, quota: createPostgresQuota({ ...service, db: other.db }) });
    return call;
  }

  it.each(OPERATIONS)("match the document for %s %s with %i", async (method, path, status) => {
    const contract = CONTRACTS.find((known) => known.method === method && known.path === path);
    const example = contract?.example;
    const filled = contract ? buildExampleUrl(contract, { ...SITE, appUrl: "" }) : path;
    const unknown = UNKNOWN[path] ?? path.replace(/\{\w+\}/, "UC_nobody-has-this-12345");
    const call = { method, path: filled, unknown, key: key.secret, body: example?.body };
    const cause = CAUSES[status];
    if (!cause) throw new Error(`no cause is known for ${status}`);
    const { path: requestedPath, ...options } = await cause(call);
    // `send` checks every answer against the document.
    expect((await send(requestedPath, options)).status).toBe(status);
  });

  it("are documented for every endpoint", () => {
    const documented = listOperations(DOCUMENT).map(({ method, path }) => `${method} ${path}`);
    const known = CONTRACTS.map(({ method, path }) => `${method} ${path}`);
    expect(documented.sort()).toEqual([...known, ...OPEN].sort());
  });
});

describe("document check", () => {
  const find = createDocumentCheck(DOCUMENT);
  const headers = new Headers({
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "private, no-store",
    "X-Request-Id": "req_5f0c1a9be27d43f6a1c2d3e4",
    Link: '<https://growth.test/docs/errors#401>; rel="help"',
    "WWW-Authenticate": 'ApiKey header="X-API-Key"',
  });
  const answer = {
    method: "GET",
    path: "/api/usage",
    status: 401,
    headers,
    text: '{"error":"Invalid API key"}',
  };

  it("accepts a documented response, and a path that is not in the document", () => {
    expect(find(answer)).toBeNull();
    expect(find({ ...answer, path: "/api/nothing", status: 404 })).toBeNull();
  });

  it.each([
    ["another status", { status: 418 }],
    ["a missing header", { headers: new Headers({ "Content-Type": "application/json" }) }],
    ["an undocumented field", { text: '{"error":"Invalid API key","hint":"x"}' }],
    ["an undocumented value", { text: '{"error":"No"}' }],
    ["a missing field", { text: "{}" }],
    ["a body to HEAD", { method: "HEAD" }],
  ])("reports %s", (_, change) => {
    expect(find({ ...answer, ...change })).toEqual(expect.any(String));
  });
});
