import { once } from "node:events";
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "@/core/time";
import { type HttpServer, openHttpServer } from "./http";

describe("HTTP server", () => {
  let http: HttpServer;
  let port: number;
  let held: ServerResponse[];
  let seen: IncomingMessage[];
  const agent = new Agent({ keepAlive: true });

  beforeEach(async () => {
    [held, seen] = [[], []];
    http = await openHttpServer(0, ["127.0.0.1", "::1"]);
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
    });
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
      { error: "The service is starting. Try again." },
    ]);
    expect(headers["x-request-id"]).toMatch(/^req_/);
    serve();
    expect((await requestPath("/")).status).toBe(200);
  });

  it("answers 503 above the limit of concurrent requests, and serves again below it", async () => {
    serve();
    const answers = Array.from({ length: 512 }, () => requestPath("/api/usage"));
    await expect.poll(() => held.length, { timeout: 10 * SECOND }).toBe(512);
    const { status, headers, body } = await requestPath("/");
    expect([status, headers["retry-after"], body]).toEqual([503, "1", { error: "The service is busy. Try again." }]);
    for (const response of held) response.end("{}");
    expect((await Promise.all(answers)).every((answer) => answer.status === 200)).toBe(true);
    expect((await requestPath("/")).status).toBe(200);
  });

  it("does not count requests whose connection was closed, even pipelined ones", async () => {
    serve();
    const client = connect(port, "127.0.0.1");
    client.write("GET /api/usage HTTP/1.1\r\nHost: x\r\n\r\n".repeat(512));
    await expect.poll(() => held.length).toBe(512);
    client.destroy();
    await expect.poll(async () => (await requestPath("/")).status).toBe(200);
  });

  it("passes on the client's address from trusted proxies only", async () => {
    serve();
    await requestPath("/", { "X-Client-Address": "192.0.2.9" });
    await requestPath("/", { "X-Forwarded-For": "192.0.2.1", "X-Client-Address": "192.0.2.9" });
    expect(seen.map(({ headers }) => headers["x-client-address"])).toEqual(["127.0.0.1", "192.0.2.1"]);
    for (const { rawHeaders } of seen) expect(rawHeaders).not.toContain("192.0.2.9");
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
    expect((await answer).body).toEqual({ error: "The service is stopping. Try again." });
  });
});
