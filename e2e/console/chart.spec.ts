import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible, signIn, waitForHydration, watchFaults } from "../console";
import { createClientWithKey, expect, type KeyClient, requireValue, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

/** Creators that no other spec looks at. */
const [OWN, OTHER] = ["@borrowedfiddle", "@staticorchard"];
const DAYS = 10;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Tracks two creators for ten days: one gains 1,000 subscribers a day, one lacks two snapshots. */
async function trackTwo(client: KeyClient): Promise<string> {
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  const ids: string[] = [];
  for (const [channel_id, first, gain] of [
    [OWN, 100_000, 1000],
    [OTHER, 2000, 100],
  ] as const) {
    const { body } = await client.post("/api/track", { channel_id });
    const id = requireValue(body.creator?.channel_id);
    ids.push(id);
    await sql`
      insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score, score_version, score_parts)
      select ${id}, (now() at time zone 'UTC')::date - ago, now() - make_interval(hours => 24 * ago), 'daily',
        ${first}::int + ${gain}::int * (${DAYS - 1} - ago), 900000 - 1000 * ago, 40, 10, 1, '{}'
      from generate_series(0, ${DAYS - 1}) as ago
      where ${gain === 1000} or ago not in (4, 9)
      on conflict (channel_id, day) do update set read_at = excluded.read_at, source = excluded.source,
        subscribers = excluded.subscribers, views = excluded.views, videos = excluded.videos`;
  }
  await sql`update tracked_creators set tracked_since = now() - interval '9 days' where key_id = ${client.keyId}`;
  await sql.end();
  return requireValue(ids[0]);
}

const getChart = (page: Page) => page.getByRole("application");
const getLine = (page: Page, look: number) => getChart(page).locator(`path[data-look="${look}"]`);

test.describe("creator chart", () => {
  test.beforeEach(async ({ page, api }) => {
    const id = await trackTwo(api);
    await signIn(page, api.key);
    await page.goto(`/creators/${id}`);
    await expect(getLine(page, 0)).toBeVisible();
    await waitForHydration(getChart(page));
  });

  test("reads day by day with the arrow keys, on a linear and a logarithmic scale", async ({ page }) => {
    const announcement = page.locator("[aria-live=polite]", { hasText: "subscribers" });
    await getChart(page).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(announcement).toContainText("109,000 subscribers, true count 109,000 to 109,999");
    await page.keyboard.press("ArrowLeft");
    await expect(announcement).toContainText("108,000 subscribers, true count 108,000 to 108,999");
    await expect(announcement).toContainText("+1,000 (+0.9%) since the day before, true growth 0.0% to +1.9%");
    await page.keyboard.press("Home");
    await expect(announcement).toContainText("100,000 subscribers");

    const before = await getLine(page, 0).getAttribute("d");
    await page.getByText("Log", { exact: true }).click();
    await expect(page).toHaveURL(/\?scale=log$/);
    await expect(getLine(page, 0)).not.toHaveAttribute("d", requireValue(before));
    await page.reload();
    await expect(page.getByRole("radio", { name: "Log" })).toBeChecked();
    await expect(getLine(page, 0)).toBeVisible();
  });

  test("compares creators in percent since their first common day, and saves the picture", {
    tag: "@phone",
  }, async ({ page }) => {
    const faults = watchFaults(page);
    await page.getByRole("button", { name: "Compare" }).click();
    const choices = page.getByRole("dialog", { name: "Compare with" });
    await expect(choices.getByRole("checkbox", { name: "The 10 days before" })).toBeDisabled();
    await choices.getByRole("button", { name: "Static Orchard" }).click();
    await expect(page).toHaveURL(/\?with=UC/);
    // From the second day: 101,000 to 109,000, and 2,100 to 2,900 with a gap.
    await expect(getChart(page)).toContainText("+7.9% ");
    await expect(getChart(page)).toContainText("+38.1% ");
    await expect(page.getByRole("img", { name: /compared over 10 days: .+ \+7\.9%, .+ \+38\.1%$/ })).toBeVisible();
    expect((await getLine(page, 1).getAttribute("d"))?.match(/M/g)).toHaveLength(2);
    await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null/);
    await expectAccessible(page);

    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("button", { name: "Chart as PNG" }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(/^borrowedfiddle-subscribers-\d{4}-\d\d-\d\d\.png$/);
    const picture = await readFile(await download.path());
    expect(picture.subarray(0, 8)).toEqual(PNG);
    expect(picture.byteLength).toBeGreaterThan(5000);

    await page.getByRole("button", { name: "Remove Static Orchard from the chart" }).click();
    await expect(getLine(page, 1)).toHaveCount(0);
    await expect(page).not.toHaveURL(/with=/);
    expect(faults).toEqual([]);
  });

  test("shifts no layout when it loads", async ({ page, context }) => {
    const address = page.url();
    const fresh = await context.newPage();
    await fresh.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ("value" in entry) {
            const { dataset } = document.documentElement;
            dataset.shift = String(Number(dataset.shift ?? 0) + Number(entry.value));
          }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await fresh.goto(address, { waitUntil: "networkidle" });
    await expect(getLine(fresh, 0)).toBeVisible();
    const shift = await fresh.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
    expect(shift).toBeLessThan(0.02);
  });
});

test("a chart shows nothing of creators that the key does not track", async ({ page, api }) => {
  const id = await trackTwo(api);
  const other = await createClientWithKey("free");
  const { body } = await other.post("/api/track", { channel_id: "@rehearsalnobodybooked" });
  await signIn(page, api.key);
  await page.goto(`/creators/${id}?with=${requireValue(body.creator?.channel_id)}`);
  await expect(getLine(page, 0)).toBeVisible();
  await expect(page.getByRole("list", { name: "Lines of the chart" }).getByRole("listitem")).toHaveCount(2);
  await expect(page.getByRole("main")).not.toContainText(/Rehearsal/i);
});
