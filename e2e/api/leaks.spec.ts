import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { expect, required, test } from "../fixtures";
import { baseUrl, HOST } from "../product";

const TOKEN = "a-token-for-the-metrics-of-this-spec";
const CHUNKS = ".next/static/chunks";
const VIEWS = 10;
const PAGES = `/overview /discover?niche=gaming /alerts /usage /requests /settings /docs /accuracy /sign-in
  /discover /`.split(/\s+/);

test("what pages and files took is given back, also where their reader leaves in the middle", async ({
  site,
}) => {
  test.slow();
  await site.start({ METRICS_TOKEN: TOKEN });
  const { key } = await site.newClient("pro");
  const ask = (where: string, init?: RequestInit) => fetch(`${baseUrl(site.port)}${where}`, init);
  /** A figure of the process, the parts of a metric together. */
  const figure = async (metric: string) => {
    const answer = await ask("/api/metrics", { headers: { Authorization: `Bearer ${TOKEN}` } });
    const line = (await answer.text()).split("\n").find((one) => one.startsWith(metric));
    return Number(line?.split(" ").at(-1) ?? 0);
  };
  const timers = () => figure('nodejs_active_resources{type="Timeout"}');
  const files = () => figure("process_open_fds");

  const signIn = await ask("/api/trpc/sessions.signIn", {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
  });
  const headers = { Cookie: required(signIn.headers.getSetCookie()[0]?.split(";")[0]) };
  const view = async (page: string) => {
    const answer = await ask(page, { headers });
    expect(answer.status, page).toBe(200);
    await answer.text();
  };
  for (const page of PAGES) await view(page);
  const timersBefore = await timers();
  expect(timersBefore).toBeGreaterThan(0);
  for (const page of PAGES) for (let turn = 0; turn < VIEWS; turn++) await view(page);
  expect(await timers()).toBeLessThan(timersBefore + VIEWS);

  const largest = required(
    readdirSync(CHUNKS)
      .map((name) => ({ name, size: statSync(path.join(CHUNKS, name)).size }))
      .toSorted((one, other) => other.size - one.size)[0]?.name,
  );
  const file = `/_next/static/chunks/${largest}`;
  const filesBefore = await files();
  expect(filesBefore).toBeGreaterThan(0);
  for (let turn = 0; turn < 4; turn++) {
    const socket = connect(site.port, HOST).pause();
    socket.write(`GET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(30));
    // Meanwhile the service begins with what was asked for, and is not read from.
    for (let times = 0; times < 20; times++) await view("/terms");
    socket.resetAndDestroy();
  }
  // An answer that ends its connection is the last one on it.
  for (let turn = 0; turn < 20; turn++) {
    const socket = connect(site.port, HOST).resume();
    const closed = once(socket, "close");
    socket.write(
      `POST /terms HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nGET ${file} HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    await closed;
  }
  await expect.poll(files).toBeLessThan(filesBefore + 8);
});
