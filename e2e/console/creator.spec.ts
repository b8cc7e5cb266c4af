import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { createClientWithKey, expect, type KeyClient, requireValue, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

const DAYS = 29;
/** Days ago without a snapshot. */
const MISSED = 3;

/** Tracks a creator no other spec uses, with 28 days of snapshots but one and an alert today. */
async function trackLong(client: KeyClient, handle: string): Promise<string> {
  const { body } = await client.post("/api/track", { channel_id: handle });
  const id = requireValue(body.creator?.channel_id);
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  await sql`
    insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score, score_version, score_parts)
    select ${id}, (now() at time zone 'UTC')::date - ago, now() - make_interval(hours => 24 * ago), 'daily',
      20000 - 100 * ago, 900000 - 1000 * ago, 40, 10, 1, '{}'
    from generate_series(0, ${DAYS - 1}) as ago
    where ago <> ${MISSED}
    on conflict (channel_id, day) do update set read_at = excluded.read_at, source = excluded.source,
      subscribers = excluded.subscribers, views = excluded.views, videos = excluded.videos`;
  await sql`update tracked_creators set tracked_since = now() - interval '28 days' where key_id = ${client.keyId}`;
  await sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
    values (${client.keyId}, ${id}, (now() at time zone 'UTC')::date, 1000, 1300, 'SURGING',
      'It grew 30.0% in one day (1,000 → 1,300)', now())`;
  await sql.end();
  return id;
}

const getMain = (page: Page) => page.getByRole("main");
const getChart = (page: Page, name: string) => page.getByRole("img", { name });
const getGrowthRow = (page: Page, name: string) =>
  page.getByRole("region", { name: "Growth", exact: true }).getByRole("row", { name });
const getOwnLine = (page: Page) => getChart(page, "Subscribers:").locator("path[data-look='0']");

test.describe("creator page", () => {
  let id: string;

  test.beforeEach(async ({ page, api }) => {
    id = await trackLong(api, "@copperbyteretro");
    await signIn(page, api.key);
    await openPage(page, `/creators/${id}`, page.getByRole("button", { name: "Untrack" }));
    await expect(getOwnLine(page)).toBeVisible();
  });

  test("shows charts with gaps, growth with its bounds and the alert, and is accessible with its dialog", {
    tag: "@phone",
  }, async ({ page }) => {
    const faults = watchFaults(page);
    await expect(getChart(page, "Subscribers: from 17,200 to 20,000 in 29 days")).toBeVisible();
    // A line with a gap starts twice.
    expect((await getOwnLine(page).getAttribute("d"))?.match(/M/g)).toHaveLength(2);
    await expect(page.getByRole("img", { name: /^Views a day: at most 1,000, on/ })).toBeVisible();
    const numbers = getMain(page).locator("dl").first();
    await expect(numbers).toContainText("20,000 to 20,099");
    await expect(numbers).toContainText("Views a day, 7 days");
    await expect(page.getByRole("region", { name: "Newest videos" }).getByRole("row").nth(1)).toBeVisible();
    const day = getGrowthRow(page, "1 day");
    await expect(day).toContainText(/19\.9K → 20(\.0)?K/);
    await expect(day).toContainText("+0.5%");
    await expect(day).toContainText("0.0 to +1.0%");
    await expect(getGrowthRow(page, "7 days").first()).toContainText("+3.6%");
    await expect(getGrowthRow(page, "28 days").first()).toContainText("+16.3%");
    const alerts = page.getByRole("region", { name: "Alerts" });
    await expect(alerts).toContainText("1 so far: 1 waiting");
    await expect(alerts).toContainText("SURGING");
    await expect(alerts).toContainText("+30.0% in a day");
    await expect(alerts).toContainText(/Held if it has 1\.46K on /);
    await expect(page.getByRole("link", { name: "on YouTube" })).toHaveAttribute("href", new RegExp(`${id}$`));
    await expect(getMain(page)).not.toContainText(/undefined|NaN|null/);
    await page.getByText("View as table").click();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Untrack" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("shows the same numbers as a table and as CSV, and another period by URL", async ({ page }) => {
    await page.getByText("View as table").click();
    const rows = page.getByRole("group").getByRole("row");
    await expect(rows).toHaveCount(1 + DAYS);
    await expect(rows.nth(1)).toContainText("▲ alert");
    await expect(rows.nth(1)).toContainText("20,000");
    await expect(rows.nth(1 + MISSED)).toContainText("no snapshot");
    const periods = page.getByRole("radiogroup", { name: "Chart period" });
    await expect(periods.getByRole("radio", { name: "30 days" })).toHaveCount(0);
    await periods.getByRole("radio", { name: "14 days" }).focus();
    await page.keyboard.press("ArrowLeft");
    await expect(page).toHaveURL(/\?days=7$/);
    await expect(rows).toHaveCount(1 + 7);
    await page.goBack();
    await expect(rows).toHaveCount(1 + DAYS);
    const started = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("button", { name: "All snapshots as CSV" }).click();
    const download = await started;
    expect(download.suggestedFilename()).toBe(`snapshots-${id}.csv`);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(lines).toHaveLength(1 + DAYS - 1);
    expect(lines[1]).toContain(`${id},Copperbyte Retro,copperbyteretro,http`);
    expect(lines.at(-1)).toMatch(/,20000,900000,40$/);
  });

  test("untracks by keyboard, after the dialog explains the consequence", async ({ page, api }) => {
    const faults = watchFaults(page);
    const stop = page.getByRole("button", { name: "Untrack" });
    await stop.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Untrack Copperbyte Retro" });
    await expect(dialog).toContainText("Its past alerts stay.");
    await expect(dialog.getByRole("button", { name: "Keep tracking" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(stop).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("button", { name: "Keep tracking" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/overview$/);
    await expect(page.getByText("You track no creators yet")).toBeVisible();
    expect((await api.get("/api/alerts")).body.pagination?.total).toBe(1);
    expect(faults).toEqual([]);
  });
});

test.describe("creator page with little data", () => {
  test("says what a single snapshot cannot show yet", async ({ page, api }) => {
    const { body } = await api.post("/api/track", { channel_id: "@tavinorrbrink" });
    const faults = watchFaults(page);
    await signIn(page, api.key);
    await page.goto(`/creators/${requireValue(body.creator?.channel_id)}`);
    await expect(page.getByText("One snapshot so far.")).toBeVisible();
    await expect(getGrowthRow(page, "1 day")).toContainText("not known");
    await expect(getMain(page)).toContainText("needs snapshots of 8 days");
    await expect(getMain(page)).not.toContainText(/undefined|NaN|null/);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("says that a count is hidden", async ({ page, api }) => {
    const { body } = await api.post("/api/track", { channel_id: "@unlistedraccoon" });
    await signIn(page, api.key);
    await page.goto(`/creators/${requireValue(body.creator?.channel_id)}`);
    await expect(getMain(page).locator("dl").first()).toContainText("hidden by the channel");
    await expect(page.getByRole("region", { name: "Subscribers" })).toContainText("The channel hides this count.");
  });

  test("leads to the next and the previous creator of the list, also by J and K", async ({ page, api }) => {
    await api.post("/api/track", { channel_id: "@copperbyteretro" });
    const { body } = await api.post("/api/track", { channel_id: "@tavinorrbrink" });
    const second = requireValue(body.creator?.channel_id);
    await signIn(page, api.key);
    await page.goto("/overview?sort=name&order=asc");
    await page.getByRole("link", { name: "Copperbyte Retro" }).click();
    const ways = page.getByRole("navigation", { name: "Creators of the list" });
    await expect(ways).toContainText("1 of 2");
    await expect(ways.getByRole("link", { name: "Previous" })).toHaveCount(0);
    await waitForHydration(ways.getByRole("link", { name: "Next" }));
    await page.keyboard.press("j");
    await expect(page).toHaveURL(new RegExp(`/creators/${second}\\?via=`));
    await expect(ways).toContainText("2 of 2");
    await page.keyboard.press("k");
    await expect(ways).toContainText("1 of 2");
    await ways.getByRole("link", { name: "Rising now" }).click();
    await expect(page).toHaveURL(/\/overview\?sort=name&order=asc$/);
  });

  test("returns the same 404 for an untracked creator as for a missing one", async ({ page, api }) => {
    const other = await createClientWithKey("free");
    const { body } = await other.post("/api/track", { channel_id: "@hallvorspillertog" });
    await signIn(page, api.key);
    for (const id of [requireValue(body.creator?.channel_id), "UC0000000000000000000000", "nonsense", "%00"]) {
      const answer = await page.goto(`/creators/${id}`);
      expect(answer?.status()).toBe(404);
      await expect(page.getByText("You don’t track this creator")).toBeVisible();
      await expect(getMain(page)).not.toContainText("Hallvor");
    }
    await expectAccessible(page);
  });
});
