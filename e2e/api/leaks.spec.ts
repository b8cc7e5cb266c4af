import { expect, requireValue, test } from "../fixtures";
import { getBaseUrl } from "../product";

const TOKEN = "a-token-for-the-metrics-of-this-spec";
const VIEWS = 10;
const PAGES = `/overview /discover?niche=gaming /alerts /usage /requests /settings /docs /accuracy /sign-in
  /discover /`.split(/\s+/);

test("served pages leave no timers behind", { tag: "@nightly" }, async ({ site }) => {
  test.slow();
  await site.start({ METRICS_TOKEN: TOKEN });
  const { key } = await site.newClient("pro");
  const ask = (where: string, init?: RequestInit) => fetch(`${getBaseUrl(site.port)}${where}`, init);
  /** A process metric, summed over its labels. */
  const readMetric = async (metric: string) => {
    const answer = await ask("/api/metrics", { headers: { Authorization: `Bearer ${TOKEN}` } });
    const line = (await answer.text()).split("\n").find((one) => one.startsWith(metric));
    return Number(line?.split(" ").at(-1) ?? 0);
  };
  const countTimers = () => readMetric('nodejs_active_resources{type="Timeout"}');

  const signIn = await ask("/api/trpc/sessions.signIn", {
    method: "POST",
    headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
    body: JSON.stringify({ key }),
  });
  const headers = { Cookie: requireValue(signIn.headers.getSetCookie()[0]?.split(";")[0]) };
  const view = async (page: string) => {
    const answer = await ask(page, { headers });
    expect(answer.status, page).toBe(200);
    await answer.text();
  };
  for (const page of PAGES) await view(page);
  const timersBefore = await countTimers();
  expect(timersBefore).toBeGreaterThan(0);
  for (const page of PAGES) for (let turn = 0; turn < VIEWS; turn++) await view(page);
  expect(await countTimers()).toBeLessThan(timersBefore + VIEWS);
});
