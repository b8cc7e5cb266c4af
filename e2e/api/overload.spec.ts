import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, requireValue, type Site, test } from "../fixtures";
import { getBaseUrl, HOST } from "../product";

const TOKEN = "a token for the specs of overload";
const PIPELINED = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(500);
const UNFINISHED = "POST /api/track HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{";

async function openSockets(port: number, count: number, bytes: string): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, HOST).on("error", () => {}));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

/** The id of the server action of /request-key. */
async function readActionId(base: string): Promise<string> {
  const page = await (await fetch(`${base}/request-key`)).text();
  return requireValue(/&quot;id&quot;:&quot;(\w+)&quot;/.exec(page)?.[1]);
}

/** The value of a metric; null without it. */
async function readMetric({ port }: Site, name: string): Promise<number | null> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`${getBaseUrl(port)}/api/metrics`, { headers })).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length));
}

test("500 pipelined pages whose client leaves, twice, delay no other request", async ({ site }) => {
  await site.start({ METRICS_TOKEN: TOKEN });
  const client = await site.newClient("pro");
  for (let round = 0; round < 2; round++) {
    const [socket] = await openSockets(site.port, 1, PIPELINED);
    await expect.poll(() => readMetric(site, 'growth_http_refusals_total{kind="connection"}')).toBe(round + 1);
    requireValue(socket).destroy();
    expect((await client.get("/api/live")).status).toBe(200);
    expect((await client.get("/api/usage")).status).toBe(200);
  }
  await expect.poll(() => readMetric(site, 'growth_http_in_flight{kind="page"}')).toBe(0);
  expect((await client.get("/")).status).toBe(200);
});

test("520 unfinished bodies keep neither a valid key nor the operator from their answers", async ({ site }) => {
  await site.start({ METRICS_TOKEN: TOKEN });
  const client = await site.newClient("pro");
  const withKey = UNFINISHED.replace(
    "\r\n\r\n",
    `\r\nX-API-Key: ${client.key}\r\nContent-Type: application/json\r\n\r\n`,
  );
  const sockets = [...(await openSockets(site.port, 520, UNFINISHED)), ...(await openSockets(site.port, 520, withKey))];
  for (let at = 0; at < 10; at++) {
    expect((await client.get("/api/usage")).status).toBe(200);
    expect((await client.get("/api/live")).status).toBe(200);
  }
  await expect.poll(() => readMetric(site, 'growth_http_in_flight{kind="api"}')).toBe(0);
  for (const socket of sockets) socket.destroy();
});

test("actions of another page, eight at once, keep no page waiting", async ({ site }) => {
  await site.start();
  const base = getBaseUrl(site.port);
  const id = await readActionId(base);
  const headers = { Origin: base, "Next-Action": id, "Content-Type": "text/plain;charset=UTF-8" };
  const posts = Array.from({ length: 8 }, () => fetch(`${base}/key/abc`, { method: "POST", headers, body: "[]" }));
  for (const answer of await Promise.all(posts)) expect(answer.status).toBe(409);
  expect((await fetch(base)).status).toBe(200);
});

test("forms that cannot be read are refused by the page itself and never fail", async ({ site }) => {
  const product = await site.start({ LOG_LEVEL: "info" });
  const base = getBaseUrl(site.port);
  const id = await readActionId(base);
  const multipart = "multipart/form-data; boundary=x";
  const action = { "Next-Action": id, "Content-Type": "text/plain;charset=UTF-8" };
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const cases: [status: number, headers: Record<string, string>, body: string][] = [
    [400, { "Content-Type": multipart }, "junk"],
    [400, { "Content-Type": multipart }, part("a", "b")],
    [400, { "Content-Type": multipart }, `${part("a", "b")}--x--`],
    [400, { "Content-Type": multipart }, `${part("$ACTION_REF_1", "")}${part("$ACTION_1:0", "{{")}--x--`],
    [400, action, "{{"],
    [400, action, "[1,2,3]"],
    [400, action, '["$K1","$F9"]'],
    [400, { ...action, "Next-Action": "00" }, "[]"],
    [400, { ...action, "Content-Type": multipart }, `${part("0", '["$K1","$F9"]')}--x--`],
    [403, { ...action, Origin: "https://elsewhere.example" }, "[]"],
    [413, action, "x".repeat(40_000)],
  ];
  const expected: number[] = [];
  for (const path of ["/request-key", "/key/abc"])
    for (const [status, headers, body] of cases) {
      const answer = await fetch(base + path, { method: "POST", headers: { Origin: base, ...headers }, body });
      // The action is one of the first page.
      const isElsewhere = path === "/key/abc" && headers["Next-Action"] === id && status === 400 && body !== "{{";
      expected.push(isElsewhere ? 409 : status);
      expect(answer.status, `${path} ${JSON.stringify(headers)} ${body.slice(0, 60)}`).toBe(expected.at(-1));
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    }
  const { stdout } = await product.stop();
  const lines = stdout.split("\n").filter((line) => line.includes('"msg":"page"') && line.includes('"POST"'));
  expect(lines.map((line) => JSON.parse(line).status).sort()).toEqual(expected.sort());
});
