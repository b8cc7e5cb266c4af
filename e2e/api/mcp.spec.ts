import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  anonymous,
  expect,
  expectError,
  expectUnauthorized,
  getRequestsToday,
  type KeyClient,
  spendDay,
  test,
} from "../fixtures";
import { getBaseUrl, isOnStandIns, PORT } from "../product";

const EXAMPLE = isOnStandIns ? "@YouTube" : "@juniperfivecrits";
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "usage" } };
const ACCEPT = { Accept: "application/json, text/event-stream" };

async function connect({ key }: Pick<KeyClient, "key">): Promise<Client> {
  const client = new Client({ name: "e2e", version: "1.0.0" });
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${getBaseUrl(PORT)}/mcp`), { requestInit: { headers } }),
  );
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: given });
  const [{ text } = { text: "" }] = content as { text: string }[];
  return { isError, text, value: structuredContent };
}

test.describe("MCP", () => {
  test("lets the official client connect, list and call every tool", async ({ api }) => {
    const client = await connect(api);
    expect(client.getInstructions()).toContain("score");
    const { tools } = await client.listTools();
    expect(await getRequestsToday(api)).toBe(1);
    const calls: Record<string, Record<string, unknown>> = {
      discover: { niche: "gaming", limit: 2, rising: false },
      niches: {},
      creator: { channel_id: EXAMPLE },
      track: { channel_id: EXAMPLE },
      list_tracked: { limit: 5 },
      history: { channel_id: EXAMPLE },
      alerts: {},
      changes: { limit: 5 },
      usage: {},
      untrack: { channel_id: EXAMPLE },
    };
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
    for (const [name, given] of Object.entries(calls)) {
      const { isError, text, value } = await call(client, name, given);
      expect(isError, `${name}: ${text}`).toBe(false);
      expect(JSON.parse(text)).toEqual(value);
    }
    expect(await getRequestsToday(api)).toBe(12);
    await client.close();
  });

  test("answers no message without a valid key", async () => {
    for (const key of [null, "cg_wrong"])
      for (const body of [PING, CALL, "{"]) {
        const answer = await anonymous.post("/mcp", body, { key, headers: ACCEPT });
        expectUnauthorized(answer);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    await expect(connect({ key: "cg_wrong" })).rejects.toThrow("Invalid API key");
  });

  test("returns 405 for GET, DELETE and other methods, with and without a trailing slash", async ({ api }) => {
    for (const [method, path] of [
      ["GET", "/mcp"],
      ["DELETE", "/mcp"],
      ["PUT", "/mcp"],
      ["GET", "/mcp/"],
      ["GET", "/mcp?x=1"],
    ] as const) {
      const answer = await api.call(method, path);
      expectError(answer, 405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
    const { text } = await api.post("/mcp/", PING, { headers: ACCEPT });
    expect(JSON.parse(text)).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: {},
    });
    expect((await anonymous.get("/mcp/other")).status).toBe(404);
    expect(await getRequestsToday(api)).toBe(1);
  });

  test("refuses pages of other sites and accepts its own", async ({ api }) => {
    const pingFromOrigin = (origin: string) => api.post("/mcp", PING, { headers: { ...ACCEPT, Origin: origin } });
    expectError(await pingFromOrigin("https://evil.example"), 403);
    expect((await pingFromOrigin(getBaseUrl(PORT))).status).toBe(200);
  });

  test("returns wrong arguments and a spent quota as readable results", async ({ api }) => {
    const client = await connect(api);
    expect(await call(client, "discover", { niche: "gaming", sort: "views" })).toMatchObject({
      isError: true,
      text: 'sort is "views"; it must be one of score, growth_7d, subscribers.',
    });
    await spendDay(api);
    const { isError, text } = await call(client, "usage");
    expect(isError).toBe(true);
    expect(text).toMatch(/^Daily rate limit reached: this free key has used 50 of 50 requests\..* in \d+ h \d+ min\.$/);
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    const refused = await api.post("/mcp", CALL, { headers: ACCEPT });
    expect([refused.status, refused.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
    await client.close();
  });

  test("serves the guides as resources", async ({ pro }) => {
    const client = await connect(pro);
    const { resources } = await client.listResources();
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringMatching(/^# \S/) }]);
    }
    const limits = await anonymous.get("/docs/limits.md");
    const { contents } = await client.readResource({ uri: "guide://limits" });
    expect(contents).toMatchObject([{ text: limits.text }]);
    await client.close();
  });
});
