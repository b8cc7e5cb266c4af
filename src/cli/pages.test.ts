import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLimits } from "@/core/http/limits";
import { createMetrics } from "@/core/log/metrics";
import { installContext } from "@/server/context";
import { useService } from "@/test/service";
import { type HttpServer, openHttpServer } from "./http";
import { servePages } from "./pages";

const OWN = { Origin: "http://growth.test", "Content-Type": "multipart/form-data; boundary=x" };
const ACTION = { ...OWN, "Next-Action": "60aa", "Content-Type": "text/plain;charset=UTF-8" };
const FORM = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nMaya\r\n--x--\r\n';
const GET = "GET / HTTP/1.1\r\nHost: growth.test\r\n\r\n";

describe("pages", () => {
  const service = useService();
  let http: HttpServer;
  let lines: Record<string, unknown>[];
  let held: ServerResponse[];
  /** What Next does with a request. */
  let next: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>;

  beforeEach(async () => {
    [lines, held] = [[], []];
    const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const metrics = createMetrics();
    Object.assign(service, { metrics, limits: createLimits(log, metrics) });
    installContext(service);
    next = async (incoming, response) => void response.end(await text(incoming));
    http = await openHttpServer({ port: 0, trustedProxies: ["127.0.0.1", "::1"], log });
    const page = servePages((...call) => next(...call), log, false);
    http.serve({ api: page, page, recordRefusal: () => {} });
  });
  afterEach(() => {
    http.server.closeAllConnections();
    http.server.close();
  });

  const getPort = () => (http.server.address() as AddressInfo).port;
  async function post(path: string, headers: Record<string, string>, body: string | Buffer) {
    const sent = request({ port: getPort(), host: "127.0.0.1", path, method: "POST", headers }).end(body);
    const [answer]: [IncomingMessage] = (await once(sent, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
  }

  /** Next holds its pages until they are released; it ends when its client goes, as Next does. */
  function holdPages(): void {
    next = async (_incoming, response) => {
      held.push(response);
      await once(response, "close");
    };
  }

  it.each(["/request-key", "/key/abc"])("pass a form of the own site to %s, with its whole body", async (path) => {
    expect(await post(path, OWN, FORM)).toMatchObject({ status: 200, body: FORM });
    expect(await post(path, ACTION, '["token"]')).toMatchObject({ status: 200, body: '["token"]' });
  });

  it.each([
    ["a form of another site", { ...OWN, Origin: "https://elsewhere.example" }, FORM, 403],
    ["a form that the browser says is of another site", { ...OWN, "Sec-Fetch-Site": "cross-site" }, FORM, 403],
    ["a form that names no site", { "Content-Type": OWN["Content-Type"] }, FORM, 403],
    ["a form of more than 16 KiB", OWN, "x".repeat(16_385), 413],
    ["a body that is not form data", OWN, "junk", 400],
    ["a form that is cut off", OWN, FORM.slice(0, -9), 400],
    ["a form without a boundary", { ...OWN, "Content-Type": "multipart/form-data" }, FORM, 400],
    ["a form of another content type", { ...OWN, "Content-Type": "application/json" }, "{}", 400],
    ["an action that is not JSON", ACTION, "{{", 400],
    ["an action without its arguments", { ...ACTION, "Content-Type": OWN["Content-Type"] }, FORM, 400],
  ])("refuse %s with a plain page, and log and count it", async (_, headers, body, status) => {
    const refused = await post("/request-key", headers, body);
    expect(refused.status).toBe(status);
    expect(refused.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(refused.body).toMatch(/<p>\w+ .*<\/p>/);
    await expect.poll(() => lines).toMatchObject([{ msg: "page", path: "/request-key", status }]);
    expect(await service.metrics.render([])).toContain(`route="pages",method="POST",status="${status}"} 1`);
  });

  it("keep Next from sending an action on to another page", async () => {
    next = async ({ headers }, response) => void response.end(headers["x-action-forwarded"]);
    expect((await post("/key/abc", ACTION, "[]")).body).toBe("1");
    expect((await post("/key/abc", OWN, FORM)).body).toBe("");
  });

  it("answer 400 when Next fails before the form's action begins, and 500 afterwards", async () => {
    next = async (_incoming, response) => void response.writeHead(500).end();
    expect((await post("/request-key", OWN, FORM)).status).toBe(400);
    next = async ({ headers }, response) => {
      service.readForms.add(String(headers["x-request-id"]));
      response.writeHead(500).end();
    };
    expect((await post("/request-key", OWN, FORM)).status).toBe(500);
    expect(service.readForms.size).toBe(0);
  });

  it("close the connection after a form of more than 8 MiB", async () => {
    const { status, headers } = await post("/request-key", OWN, Buffer.alloc(9 * 1024 * 1024));
    expect([status, headers.connection]).toEqual([413, "close"]);
  });

  it("give an unfinished form no place", async () => {
    const head = Object.entries({ ...OWN, "Content-Length": "9" }).map(([name, value]) => `${name}: ${value}\r\n`);
    const clients = Array.from({ length: 200 }, () => connect(getPort(), "127.0.0.1"));
    for (const client of clients) client.write(`POST /request-key HTTP/1.1\r\nHost: x\r\n${head.join("")}\r\n-`);
    expect((await post("/request-key", OWN, FORM)).status).toBe(200);
    expect(service.limits.countUnderWay("page")).toBe(0);
    for (const client of clients) client.destroy();
  });

  it("begin none of 500 pipelined pages, and end the connection", async () => {
    holdPages();
    const client = connect(getPort(), "127.0.0.1");
    client.on("error", () => {}).write(GET.repeat(500));
    await once(client, "close");
    await expect.poll(() => service.limits.countUnderWay("page")).toBe(0);
    expect(held).toHaveLength(0);
  });

  it("begin four of 32 pipelined pages, and forget the others once their client has gone", async () => {
    holdPages();
    const client = connect(getPort(), "127.0.0.1");
    client.write(GET.repeat(32));
    await expect.poll(() => held.length).toBe(4);
    expect(service.limits.countUnderWay("page")).toBe(32);
    client.destroy();
    await expect.poll(() => service.limits.countUnderWay("page")).toBe(0);
    expect(held).toHaveLength(4);
    expect(await service.metrics.render([])).toContain('route="pages",method="GET",status="499"} 32');
  });

  it("refuse more than 32 of one client with 503 and Retry-After, and serve another client", async () => {
    holdPages();
    const clients = Array.from({ length: 32 }, () => connect(getPort(), "127.0.0.1"));
    for (const client of clients) client.write(GET);
    await expect.poll(() => service.limits.countUnderWay("page")).toBe(32);
    const refused = await post("/request-key", OWN, FORM);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    next = async (_incoming, response) => void response.end("served");
    const served = post("/request-key", { ...OWN, "X-Forwarded-For": "192.0.2.1" }, FORM);
    await expect.poll(() => service.limits.countUnderWay("page")).toBe(33);
    for (const client of clients) client.destroy();
    expect((await served).body).toBe("served");
  });
});
