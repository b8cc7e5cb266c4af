import { once } from "node:events";
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json, text } from "node:stream/consumers";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog } from "@/core/log/log";
import { MINUTE, SECOND } from "@/core/time";
import { type HttpServer, openHttpServer } from "./http";

describe("HTTP server", () => {
  let http: HttpServer;
  let port: number;
  let held: ServerResponse[];
  let seen: IncomingMessage[];
  let refusals: number;
  const log = createLog({ level: "silent" });
  const agent = new Agent({ keepAlive: true });

  beforeEach(async () => {
    [held, seen, refusals] = [[], [], 0];
    http = await openHttpServer({ port: 0, trustedProxies: ["127.0.0.1", "::1"], log });
    ({ port } = http.server.address() as AddressInfo);
  });
  afterEach(async () => {
    http.server.closeAllConnections();
    http.server.close();
  });

  const serve = () =>
    http.serve({
      api: (_request, response) => void held.push(response),
      page: (incoming, response) => {
        seen.push(incoming);
        response.end("{}");
      },
      recordRefusal: () => {
        refusals += 1;
      },
    });
  /** Sends bytes and reads until the server closes the connection. */
  const sendRaw = async (bytes: string) => {
    const client = connect(port, "127.0.0.1");
    client.write(bytes);
    const answer = await text(client);
    const [head = ""] = answer.split("\r\n\r\n");
    const [body = ""] = /\{.*\}/.exec(answer) ?? [];
    return { status: Number(head.split(" ")[1]), head: head.toLowerCase().replaceAll("\r", ""), body };
  };
  const requestPath = async (path: string, headers: Record<string, string> = {}) => {
    const [answer]: IncomingMessage[] = await once(
      request({ port, host: "127.0.0.1", path, headers, agent }).end(),
      "response",
    );
    return {
      status: answer?.statusCode,
      headers: answer?.headers ?? {},
      body: answer && (await json(answer)),
    };
  };

  it("answers 503 until it is ready", async () => {
    const { status, headers, body } = await requestPath("/api/usage");
    expect([status, headers["retry-after"], body]).toEqual([
      503,
      "1",
      { error: "The service is starting. Try again.", code: "unavailable" },
    ]);
    expect(headers["x-request-id"]).toMatch(/^req_/);
    serve();
    expect((await requestPath("/")).status).toBe(200);
  });

  it("answers what can be served while the rest has to wait, with the reason", async () => {
    http.serve({
      api: (_request, response) => void response.end("{}"),
      page: (_request, response) => void response.end("{}"),
      recordRefusal: () => {},
      findDelay: (url) => (url === "/" ? undefined : "The sample data is being prepared"),
    });
    expect((await requestPath("/")).status).toBe(200);
    const { status, body } = await requestPath("/api/usage");
    expect([status, body]).toEqual([
      503,
      { error: "The sample data is being prepared. Try again.", code: "unavailable" },
    ]);
    const page = await fetch(`http://127.0.0.1:${port}/overview`, { headers: { Accept: "text/html" } });
    expect(await page.text()).toContain("<h1>The sample data is being prepared</h1>");
  });

  it("shows a browser that comes too early a page that reloads itself, and answers the API in JSON", async () => {
    const accept = { headers: { Accept: "text/html,*/*" } };
    const page = await fetch(`http://127.0.0.1:${port}/overview`, accept);
    expect([page.status, page.headers.get("refresh"), page.headers.get("content-type")]).toEqual([
      503,
      "1",
      "text/html; charset=utf-8",
    ]);
    expect(await page.text()).toContain("<h1>The service is starting</h1>");
    const answer = await fetch(`http://127.0.0.1:${port}/api/usage`, accept);
    expect(await answer.json()).toMatchObject({ code: "unavailable" });
  });

  it("takes the path of a whole address, as a proxy sends it", async () => {
    serve();
    await sendRaw("GET HTTP://other.example/docs?a=//b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(seen.map(({ url }) => url)).toEqual(["/docs?a=//b"]);
  });

  it("serves 32 unanswered requests of a connection, refuses the next and closes it after the answers", async () => {
    serve();
    const client = connect(port, "127.0.0.1");
    const answered = text(client);
    client.write("GET /api/usage HTTP/1.1\r\nHost: x\r\n\r\n".repeat(33));
    await expect.poll(() => refusals).toBe(1);
    expect(held).toHaveLength(32);
    for (const response of held) response.end("{}");
    const statuses = (await answered).match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual([...Array(32).fill("200"), "503"]);
    expect(held).toHaveLength(32);
  });

  it("tells every unanswered request that its client has gone, also those behind others", async () => {
    serve();
    const client = connect(port, "127.0.0.1");
    client.write("GET /api/usage HTTP/1.1\r\nHost: x\r\n\r\n".repeat(32));
    await expect.poll(() => held.length).toBe(32);
    const closed = held.map((response) => once(response, "close"));
    client.destroy();
    await Promise.all(closed);
  });

  it.each([
    ["a request that is not HTTP", "nonsense\r\n\r\n", 400],
    ["a missing Host header", "GET /api/usage HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["an asterisk in place of a path", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["an address without a path", "GET http:// HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
    ["headers that are too large", `GET /api/usage HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["an expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n", 417],
  ])("answers %s with a JSON error and a request id", async (_, bytes, status) => {
    serve();
    const refused = await sendRaw(bytes);
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.body)).toEqual({ error: expect.stringMatching(/\S+ \S+/), code: "invalid_http" });
    expect(refused.head).toMatch(/^x-request-id: req_[0-9a-f]{24}$/m);
    expect(refused.head).toMatch(/^content-type: application\/json/m);
    expect(refused.head).toMatch(/^connection: close$/m);
    expect(seen).toHaveLength(0);
  });

  it("passes on the client's address from trusted proxies only", async () => {
    serve();
    await requestPath("/", { "X-Client-Address": "192.0.2.9" });
    await requestPath("/", { "X-Forwarded-For": "192.0.2.1", "X-Client-Address": "192.0.2.9" });
    expect(seen.map(({ headers }) => headers["x-client-address"])).toEqual(["127.0.0.1", "192.0.2.1"]);
    for (const { rawHeaders } of seen) expect(rawHeaders).not.toContain("192.0.2.9");
  });

  it("passes on forwarded headers from trusted proxies only, and says once what to set", async () => {
    const warned: string[] = [];
    const stranger = await openHttpServer({
      port: 0,
      trustedProxies: ["192.0.2.1"],
      log: createLogSpy(warned),
    });
    const heard: IncomingMessage[] = [];
    const page = (incoming: IncomingMessage, response: ServerResponse) => {
      heard.push(incoming);
      response.end("{}");
    };
    const forwarded = { "X-Forwarded-Host": "elsewhere.example", "X-Forwarded-For": "192.0.2.9" };
    stranger.serve({ api: page, page, recordRefusal: () => {} });
    const own = port;
    serve();
    await requestPath("/", forwarded);
    ({ port } = stranger.server.address() as AddressInfo);
    for (let at = 0; at < 2; at++) await requestPath("/", forwarded);
    port = own;
    stranger.server.closeAllConnections();
    stranger.server.close();
    expect(seen[0]?.headers["x-forwarded-host"]).toBe("elsewhere.example");
    for (const { headers, rawHeaders } of heard) {
      expect(headers["x-forwarded-host"]).toBeUndefined();
      expect(rawHeaders).not.toContain("elsewhere.example");
    }
    expect(warned).toEqual([expect.stringContaining("add it to TRUSTED_PROXIES")]);
  });

  it("listens on the address of HOST only", async () => {
    const local = await openHttpServer({ port: 0, host: "127.0.0.1", trustedProxies: [], log });
    expect((local.server.address() as AddressInfo).address).toBe("127.0.0.1");
    local.server.close();
    const foreign = openHttpServer({ port: 0, host: "192.0.2.1", trustedProxies: [], log });
    await expect(foreign).rejects.toThrow("HOST 192.0.2.1 is not an address of this machine.");
  });

  it("finishes requests in flight when it stops, and closes their connections", async () => {
    serve();
    const answer = requestPath("/api/usage");
    await expect.poll(() => held.length).toBe(1);
    const stopped = http.stop(MINUTE);
    expect((await requestPath("/")).headers.connection).toBe("close");
    await expect.poll(() => http.server.listening, { timeout: 5 * SECOND }).toBe(false);
    held[0]?.end("{}");
    expect(await answer).toMatchObject({ status: 200, headers: { connection: "close" } });
    await stopped;
  });

  it("answers 503 to requests left at the shutdown deadline", async () => {
    serve();
    const answer = requestPath("/api/usage");
    await expect.poll(() => held.length).toBe(1);
    await http.stop(2 * SECOND);
    expect((await answer).body).toEqual({ error: "The service is stopping. Try again.", code: "unavailable" });
  });
});

function createLogSpy(lines: string[]) {
  return pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
}
