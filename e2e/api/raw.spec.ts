import { connect } from "node:net";
import { expect, getRequestsToday, test } from "../fixtures";
import { HOST, PORT } from "../product";

/** Sends raw bytes and reads until the server closes the connection. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(PORT, HOST);
    let text = "";
    socket.setEncoding("latin1").on("data", (part: string) => {
      text += part;
    });
    socket.once("error", (error) => (text ? resolve(text) : reject(error)));
    socket.once("close", () => resolve(text));
    // Not half-closed: a server may ignore such a connection.
    socket.write(bytes, "latin1");
  });
}

/** The statuses of all responses on one connection. */
const parseStatuses = (text: string) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));

const joinLines = (...parts: string[]) => parts.join("\r\n");

test.describe("ambiguous request framing", () => {
  const smuggled = joinLines("GET /api/usage HTTP/1.1", "Host: x", "X-API-Key: {key}", "", "");
  const cases: [string, string[]][] = [
    ["a length and chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
    ["two lengths", ["Content-Length: 0", "Content-Length: 5"]],
    ["a length that is no number", ["Content-Length: +5"]],
    ["chunks by an odd name", ["Transfer-Encoding: xchunked"]],
    ["chunks twice", ["Transfer-Encoding: chunked, identity"]],
    ["a header whose name ends in a space", ["Transfer-Encoding : chunked"]],
    ["a line without its carriage return", ["A: b\nTransfer-Encoding: chunked"]],
    ["a NUL in a header", ["A: b\0c"]],
    ["a folded header", ["A: b\r\n Transfer-Encoding: chunked"]],
  ];
  for (const [what, headers] of cases)
    test(`refuses ${what} and does not parse what follows as a request`, async ({ api }) => {
      const head = joinLines("POST /api/track HTTP/1.1", "Host: x", ...headers, "Content-Type: application/json");
      const text = await sendRaw(`${head}\r\n\r\n0\r\n\r\n${smuggled.replace("{key}", api.key)}`);
      expect(parseStatuses(text), text).toEqual([400]);
      expect(await getRequestsToday(api)).toBe(1);
    });

  test("closes the connection when a chunk has a wrong size", async ({ api }) => {
    const head = joinLines(
      "POST /api/track HTTP/1.1",
      "Host: x",
      `X-API-Key: ${api.key}`,
      "Transfer-Encoding: chunked",
    );
    const text = await sendRaw(`${head}\r\nContent-Type: application/json\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n`);
    expect(parseStatuses(text).filter((status) => status !== 400)).toEqual([]);
  });
});

test("keeps an idle connection longer than proxies do, so they never reuse one that is closing", async () => {
  const first = joinLines("GET /api/live HTTP/1.1", "Host: x", "", "");
  const last = joinLines("GET /api/live HTTP/1.1", "Host: x", "Connection: close", "", "");
  expect(await sendRaw(first + last)).toContain("Keep-Alive: timeout=130\r\n");
});

test("closes the connection for a proxy request", async () => {
  expect(await sendRaw(joinLines("CONNECT other.test:443 HTTP/1.1", "Host: other.test:443", "", ""))).toBe("");
});

test("paths that mix a page and the API return neither", async ({ pro }) => {
  const paths = `/api/../api/usage /API/usage /api;a=b/usage /api/usage;a=b /api/%75sage%2f.. /api/.%2e/overview
    /api/%5c..%5coverview /api//usage /api/usage%00 /api/usage%20 /api/_next/static/x /api/track/..%2f..%2fusage
    /_next/../api/usage /_next/static/..%2f..%2fapi/usage /_next/static/%2e%2e/%2e%2e/package.json
    /_next/image?url=http://169.254.169.254/&w=64&q=75 /_next/image?url=%2Fapi%2Fhealth&w=64&q=75 //api/usage
    /.well-known/../api/usage /.env /.git/config /package.json /src/core/env.ts /docs/..%2f..%2f.env`;
  for (const path of paths.split(/\s+/)) {
    const text = await sendRaw(joinLines(`GET ${path} HTTP/1.1`, "Host: x", "Connection: close", "", ""));
    const [status = 0] = parseStatuses(text);
    expect(status, `${path}: ${text.slice(0, 300)}`).toBeLessThan(500);
    // None of these is served without a key.
    expect([308, 307, 400, 401, 404], `${path}: ${text.slice(0, 300)}`).toContain(status);
    expect(text, path).not.toContain("requests_today");
    expect(text, path).not.toContain("DATABASE_URL");
  }
  expect((await pro.get("/api/usage")).status).toBe(200);
});

test("an address in the request line or a proxy header does not change whom the response is for", async ({ api }) => {
  const text = await sendRaw(
    joinLines(
      "GET http://elsewhere.example/sign-in HTTP/1.1",
      "Host: elsewhere.example",
      "X-Forwarded-Host: elsewhere.example",
      "X-Forwarded-Proto: https",
      "X-Original-URL: /api/usage",
      "X-Rewrite-URL: /api/usage",
      "X-Middleware-Subrequest: src/proxy:src/proxy:src/proxy:src/proxy:src/proxy",
      "X-Nonce: chosen",
      "Content-Security-Policy: script-src 'nonce-chosen'",
      "Connection: close",
      "",
      "",
    ),
  );
  expect(parseStatuses(text)[0] ?? 0).toBeLessThan(500);
  expect(text).not.toContain("nonce-chosen");
  expect(text).not.toContain('nonce="chosen"');
  expect(text).not.toContain("https://elsewhere.example");
  expect(await getRequestsToday(api)).toBe(1);
});

test("HTTP/1.0 requests may omit Host", async () => {
  expect(parseStatuses(await sendRaw(joinLines("GET /api/live HTTP/1.0", "", "")))).toEqual([200]);
});

test("pages allow only GET and HEAD", async () => {
  const ask = (method: string, target: string) =>
    sendRaw(joinLines(`${method} ${target} HTTP/1.1`, "Host: x", "Connection: close", "", ""));
  for (const method of ["POST", "TRACE", "PUT", "OPTIONS"])
    for (const target of ["/", "/sign-in", "/docs", "/nothing"])
      expect(parseStatuses(await ask(method, target)), `${method} ${target}`).toEqual([405]);
});

test("pages respond without waiting for a body that never arrives", async () => {
  const text = await sendRaw(joinLines("POST /sign-in HTTP/1.1", "Host: x", "Content-Length: 9999999", "", "a"));
  expect(parseStatuses(text)).toEqual([405]);
});

test("the server cuts off endless headers and oversized lines", async () => {
  const long = await sendRaw(joinLines(`GET /api/usage?a=${"a".repeat(20_000)} HTTP/1.1`, "Host: x", "", ""));
  expect(parseStatuses(long)).toEqual([431]);
  const many = Array.from({ length: 3000 }, (_, number) => `A-${number}: b`);
  const wide = await sendRaw(joinLines("GET /api/usage HTTP/1.1", "Host: x", ...many, "Connection: close", "", ""));
  expect([401, 431]).toContain(parseStatuses(wide)[0]);
});
