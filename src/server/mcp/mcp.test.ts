import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { GET, POST } from "@/app/mcp/route";
import { DAY } from "@/core/time";
import { connect as connectTo } from "@/db/client";
import { SEVERITIES } from "@/db/values";
import { SANDBOX_KEY } from "@/features/keys/rules";
import { deleteKey, revokeKey } from "@/features/keys/service";
import { createPostgresQuota } from "@/features/usage/quota.service";
import { listRequests } from "@/features/usage/request-log.service";
import { PlatformError } from "@/platform/port";
import { type AppContext, installContext } from "@/server/context";
import { GUIDES, renderGuideMarkdown } from "@/server/docs/guides";
import { createKey, TEST_START, type TestKey, useService } from "@/test/service";

const URL_OF_MCP = new URL("http://growth.test/mcp");
const NAMES = [
  "discover",
  "niches",
  "creator",
  "track",
  "untrack",
  "list_tracked",
  "history",
  "alerts",
  "changes",
  "usage",
];
const STEADY = "@juniperfivecrits";

type Headers = Record<string, string>;
interface ToolResult {
  isError?: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into results of any shape, and fails where they differ
  value: any;
}

describe("MCP", () => {
  const service = useService();
  let key: TestKey;
  let logged: string[];

  beforeEach(async () => {
    service.clock.set(TEST_START);
    key = await createKey(service);
    logged = [];
    serveWith({});
  });

  function serveWith(parts: Partial<AppContext>): void {
    const log = pino({}, { write: (line: string) => logged.push(line) });
    installContext({ ...service, log, ...parts });
  }

  const createBearer = () => ({ Authorization: `Bearer ${key.secret}` });

  /** The official client, whose requests the route handlers answer. */
  async function connect(headers: Headers = createBearer()): Promise<Client> {
    const client = new Client({ name: "test", version: "1.0.0" });
    const transport = new StreamableHTTPClientTransport(URL_OF_MCP, {
      requestInit: { headers },
      fetch: (url, init) => (init?.method === "GET" ? GET : POST)(new Request(url, init)),
    });
    await client.connect(transport);
    return client;
  }

  async function call(name: string, given: Record<string, unknown> = {}): Promise<ToolResult> {
    const client = await connect();
    // The client checks results by the schemas that it has listed.
    await client.listTools();
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
    const [first] = content as { text: string }[];
    await client.close();
    return { isError: isError === true, text: first?.text ?? "", value: structuredContent };
  }

  /** A message without the client. */
  const send = (message: unknown, headers: Headers = createBearer()) =>
    POST(
      new Request(URL_OF_MCP, {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof message === "string" ? message : JSON.stringify(message),
      }),
    );
  const createMessage = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
  const getUsed = () => service.quota.getUsed(key.id);
  const spendDay = () => Promise.all(Array.from({ length: 50 }, () => service.quota.take(key.id, 50)));

  it("accepts the public sandbox key, uses the session's clock, and counts for no other key", async () => {
    const client = await connect({ "X-API-Key": SANDBOX_KEY });
    await client.listTools();
    const tracked = await client.callTool({ name: "list_tracked", arguments: {} });
    expect(tracked.structuredContent).toMatchObject({ pagination: { total: 7 } });
    const later = new Date(Date.parse(TEST_START) + 5 * DAY).toISOString();
    const moved = await connect({ Authorization: `Bearer ${SANDBOX_KEY}`, "X-Test-Clock": later });
    await moved.listTools();
    const { structuredContent } = await moved.callTool({ name: "alerts", arguments: { limit: 50 } });
    const { alerts, sandbox } = structuredContent as { alerts: { severity: string }[]; sandbox: object };
    expect(new Set(alerts.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
    expect(sandbox).toMatchObject({ clock: later });
    expect(await getUsed()).toBe(0);
  });

  it("lists its tools with titles, schemas and hints, and describes itself", async () => {
    const client = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: "creator-growth" });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
    expect(client.getInstructions()).toMatch(/score.*alert.*sample data/s);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { title, description = "", inputSchema, outputSchema } of tools) {
      expect(title).toMatch(/^[A-Z]/);
      expect(description.length).toBeGreaterThan(50);
      // Model providers accept none of these at the top.
      expect(Object.keys(inputSchema).filter((word) => /Of$/.test(word))).toEqual([]);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
    }
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
      "track",
      "untrack",
    ]);
    expect(tools[0]?.inputSchema).toMatchObject({
      required: ["niche"],
      properties: {
        limit: { type: "integer", minimum: 1, maximum: 50, default: 20 },
        rising: { type: "boolean", default: false },
        sort: { enum: ["score", "growth_7d", "subscribers"] },
      },
    });
    expect(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).not.toContain("format");
  });

  it("has a guide that lists its tools", async () => {
    const text = await renderGuideMarkdown(service, "agents");
    const rows = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(NAMES);
    expect(text).toContain('"url": "http://growth.test/mcp"');
    for (const [, json = ""] of text.matchAll(/^```json\n(.*?)\n```$/gms))
      expect(Object.values<object>(JSON.parse(json)).at(-1)).toHaveProperty("creator-growth");
  });

  it("runs every tool, with text that equals the structured content", async () => {
    const results = [
      await call("discover", { niche: "gaming", limit: 3, rising: false, country: null }),
      await call("track", { channel_id: STEADY }),
      await call("track", { channel_ids: ["@nobody_here_at_all", STEADY] }),
      await call("list_tracked", { limit: 5 }),
      await call("history", { channel_id: STEADY }),
      await call("alerts", { min_percent: 10 }),
      await call("changes"),
      await call("usage"),
      await call("niches"),
      await call("creator", { channel_id: STEADY }),
    ];
    for (const { isError, text, value } of results) {
      expect(isError, text).toBe(false);
      expect(JSON.parse(text)).toEqual(value);
    }
    const [found, tracked, several, list, history, alerts, changes, usage, niches, creator] = results.map(
      ({ value }) => value,
    );
    expect(found.creators).toHaveLength(3);
    expect(tracked.creator).toMatchObject({ handle: STEADY });
    expect(several.results).toMatchObject([{ error: expect.any(String) }, { creator: { handle: STEADY } }]);
    expect(niches.groups[0].niches[0]).toMatchObject({ niche: "gaming" });
    expect(creator).toMatchObject({ creator: { handle: STEADY }, is_tracked: true });
    expect(list.pagination).toMatchObject({ total: 1, limit: 5 });
    expect(history.channel_id).toBe(tracked.creator.channel_id);
    expect(alerts.alerts).toEqual([]);
    expect(changes.changes).toMatchObject([{ type: "tracked" }]);
    expect(usage).toMatchObject({ requests_today: 8, creators_tracked: 1 });
    expect((await call("untrack", { channel_id: STEADY })).value).toMatchObject({
      channel_id: tracked.creator.channel_id,
    });
  });

  it("counts a tool call as one request, and no other message", async () => {
    const client = await connect({ "X-API-Key": key.secret });
    await client.listTools();
    await client.ping();
    await client.listResources();
    await client.readResource({ uri: "guide://alerts" });
    expect(await getUsed()).toBe(0);
    await client.callTool({ name: "usage", arguments: {} });
    await client.callTool({ name: "discover", arguments: {} });
    await client.callTool({ name: "nothing", arguments: {} });
    expect(await getUsed()).toBe(3);
  });

  it("refuses a message without a valid key before anything else", async () => {
    const revoked = await createKey(service);
    await revokeKey(service, revoked.id);
    const wrong: Headers[] = [
      {},
      { Authorization: "Bearer cg_wrong" },
      { Authorization: key.secret },
      { Authorization: `Basic ${key.secret}` },
      { "X-API-Key": revoked.secret },
    ];
    for (const headers of wrong)
      for (const body of [createMessage("initialize"), createMessage("tools/call", { name: "usage" }), "{", "[]"]) {
        const response = await send(body, headers);
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
        expect(await response.json()).toEqual({ error: "Invalid API key" });
        expect([...response.headers.keys()].filter((name) => /ratelimit/.test(name))).toEqual([]);
      }
    await expect(connect({})).rejects.toThrow(/Invalid API key/);
  });

  it("answers 401 to a key that is deleted during its call", async () => {
    const admit: AppContext["quota"]["admit"] = async (secretHash) => {
      const admission = await service.quota.admit(secretHash);
      await deleteKey(service, key.id);
      return admission;
    };
    serveWith({ quota: { ...service.quota, admit } });
    const response = await send(createMessage("tools/call", { name: "track", arguments: { channel_id: STEADY } }));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  it("refuses pages of other sites", async () => {
    const from = async (Origin: string) => (await send(createMessage("ping"), { ...createBearer(), Origin })).status;
    expect(await from("http://growth.test")).toBe(200);
    for (const other of ["http://evil.test", "https://growth.test", "http://growth.test:8080", "null"])
      expect(await from(other)).toBe(403);
    const crossOrigin = await send(createMessage("ping"), { Origin: "http://evil.test" });
    expect(await crossOrigin.json()).toEqual({ error: expect.stringContaining("Other websites"), code: "forbidden" });
  });

  it.each(["GET", "DELETE", "PUT", "OPTIONS"] as const)("answers 405 to %s", async (method) => {
    const route = await import("@/app/mcp/route");
    const response = await route[method](new Request(URL_OF_MCP, { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it.each([
    ["{", 400, "body must be valid JSON"],
    [[createMessage("ping")], 400, "body must be a JSON object"],
    ["x".repeat(16 * 1024 + 1), 413, "The body must not exceed 16 KiB"],
  ])("answers an unreadable body as the API does", async (body, status, error) => {
    const response = await send(body);
    expect([response.status, await response.json()]).toEqual([status, expect.objectContaining({ error })]);
  });

  it("answers an invalid message and an unknown method in the protocol's own format", async () => {
    const none = await send({ hello: "there" });
    expect([none.status, (await none.json()).error.code]).toEqual([400, -32_700]);
    const unknown = await send(createMessage("prompts/list"));
    expect([unknown.status, (await unknown.json()).error.code]).toEqual([200, -32_601]);
    expect((await send({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  });

  it("answers JSON with the headers of the API", async () => {
    const response = await send(createMessage("tools/call", { name: "usage" }));
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("x-ratelimit-remaining")).toBe("49");
    expect(response.headers.get("x-request-id")).toMatch(/^req_/);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });

  it.each([
    ["discover", {}, /^niche is required/],
    ["discover", { niche: "gaming", limit: 500 }, /^limit is 500; it must be 1 to 50/],
    ["discover", { niche: "gaming", limit: [1] }, /^limit must be a single value/],
    ["discover", { niche: { name: "gaming" } }, /^niche must be a single value/],
    [
      "discover",
      { niche: "gaming", sort: "views" },
      /^sort is "views"; it must be one of score, growth_7d, subscribers/,
    ],
    ["discover", { niche: "gaming", size: 5 }, /^size is not an argument of discover. Use niche, .*limit/],
    ["track", {}, /^Send channel_id or channel_ids/],
    ["track", { channel_id: 7 }, /^channel_id is 7; it must be a channel id .* @handle/],
    ["history", { channel_id: "juniper" }, /^channel_id is "juniper"; it must be a channel id .* @handle/],
    ["history", { channel_id: STEADY, from: "May" }, /^from is "May"; it must be a day, such as/],
    ["alerts", { after: "7" }, /^after is 7; it must be the id of an alert/],
    ["changes", { after: "7" }, /^after is not a cursor of your key/],
    ["usage", { day: "today" }, /^day is not an argument of usage/],
    ["track", { channel_id: "@nobody_here_at_all" }, /^Channel not found on the platform. Check channel_id/],
    ["untrack", { channel_id: STEADY }, /^Your key does not track this creator. .*list_tracked/],
    ["history", { channel_id: STEADY }, /^Your key does not track this creator. .*list_tracked/],
    ["nothing", {}, /^Unknown tool. Use one of discover, niches, creator, track/],
  ])("returns an error that says what to change for %s %j", async (name, given, text) => {
    const result = await call(name, given);
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(text), value: undefined });
    expect(result.text).not.toMatch(/invalid input|expected|\bat \//i);
  });

  it("says that the quota is spent, and counts no more", async () => {
    await spendDay();
    const { isError, text } = await call("usage");
    expect(isError).toBe(true);
    expect(text).toBe(
      "Daily rate limit reached: this free key has used 50 of 50 requests. Tool calls work again after midnight UTC, in 12 h 0 min.",
    );
    expect(await getUsed()).toBe(50);
    const client = await connect();
    expect((await client.listTools()).tools).toHaveLength(NAMES.length);
  });

  it("says that the platform is unavailable", async () => {
    const find = () => Promise.reject(new PlatformError("unavailable", "secret", 90));
    serveWith({ platform: { ...service.platform, find } });
    const { isError, text } = await call("track", { channel_id: STEADY });
    expect([isError, text]).toEqual([
      true,
      "The video platform is unavailable. Try again later. Wait 90 seconds before the next try.",
    ]);
  });

  it("answers 503 with Retry-After without a database, before and after the call is counted", async () => {
    const unreachable = connectTo("postgres://user:secret@127.0.0.1:1/nothing");
    const usage = createMessage("tools/call", { name: "usage" });
    const without = { db: unreachable.db, quota: createPostgresQuota({ ...service, db: unreachable.db }) };
    for (const [parts, body] of [
      [without, createMessage("ping")],
      [without, usage],
      [{ db: unreachable.db }, usage],
    ] as const) {
      serveWith(parts);
      const response = await send(body);
      expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await response.json()).toEqual({ error: "The service is unavailable. Try again.", code: "unavailable" });
    }
    await unreachable.close();
  });

  it("answers 500 to an unexpected failure, without details", async () => {
    const find = () => Promise.reject(new Error("secret"));
    serveWith({ platform: { ...service.platform, find } });
    const response = await send(createMessage("tools/call", { name: "track", arguments: { channel_id: STEADY } }));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("secret");
    expect(logged.join("")).toContain("secret");
  });

  it("offers the guides as resources", async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(GUIDES.map(({ slug }) => `guide://${slug}`));
    const { contents } = await client.readResource({ uri: "guide://limits" });
    expect(contents).toMatchObject([
      { uri: "guide://limits", mimeType: "text/markdown", text: expect.stringMatching(/^# /) },
    ]);
    expect(await client.listResourceTemplates()).toEqual({ resourceTemplates: [] });
    for (const uri of ["guide://nothing", "guide://../../package.json", "file:///etc/passwd"])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_002 });
  });

  it("shows tool calls in the key's request log like API requests, and no other message", async () => {
    await call("discover", { niche: "gaming", limit: 3, secret: key.secret });
    await call("discover", { niche: "gaming", limit: 3 });
    await call("history", { channel_id: STEADY });
    await spendDay();
    await call("usage");
    await service.requests.flush();
    const { requests } = await listRequests(service, key.id);
    expect(requests.map(({ method, path, query, status }) => `${method} ${path}?${query} ${status}`)).toEqual([
      "POST /mcp?tool=usage 429",
      "POST /mcp?channel_id=%40juniperfivecrits&tool=history 404",
      "POST /mcp?niche=gaming&limit=3&tool=discover 200",
      "POST /mcp?niche=gaming&limit=3&tool=discover 400",
    ]);
  });
});
