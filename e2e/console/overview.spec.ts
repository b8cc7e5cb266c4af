import postgres from "postgres";
import { expectAccessible, signIn, waitForHydration, watchFaults } from "../console";
import { expect, type KeyClient, requireValue, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

const HANDLES = ["@sprocketowl", "@juniperfivecrits", "@unlistedraccoon"];

/** Tracks three creators, one with a hidden count, and adds an alert today. */
async function fill(client: KeyClient): Promise<void> {
  const ids: string[] = [];
  for (const channel_id of HANDLES) {
    const { body } = await client.post("/api/track", { channel_id });
    ids.push(requireValue(body.creator?.channel_id));
  }
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  await sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
    values (${client.keyId}, ${requireValue(ids[0])}, (now() at time zone 'UTC')::date, 1000, 1300, 'SURGING',
      'Sprocket Owl grew 30.0% in one day (1,000 → 1,300)', now())`;
  await sql.end();
}

test.describe("overview of a new key", () => {
  test("shows the steps to a first alert, as actions and as a command, and is accessible", {
    tag: ["@phone", "@phone-nightly"],
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    await signIn(page, api.key);
    await page.goto("/overview");
    const steps = page.getByRole("listitem").filter({ hasText: "(open)" });
    await expect(steps).toHaveCount(3);
    await expect(page.getByText("You track no creators yet")).toBeVisible();
    await expect(page.getByLabel("With the API: command")).toContainText("/api/track");
    await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null/);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("removes each completed step, and finally the whole list", async ({ page, api }) => {
    await api.post("/api/track", { channel_id: "@sprocketowl" });
    await signIn(page, api.key);
    await page.goto("/overview");
    await expect(page.getByRole("listitem").filter({ hasText: "(done)" })).toHaveCount(2);
    await api.post("/api/alerts/email", { email: "scout@example.com" });
    await page.reload();
    await expect(page.getByRole("table")).toBeVisible();
    await expect(page.getByText("Three steps to your first alert")).toBeHidden();
  });
});

test.describe("overview of a key in use", () => {
  test.beforeEach(async ({ page, api }) => {
    await fill(api);
    await signIn(page, api.key);
    await page.goto("/overview");
    await expect(page.getByRole("table")).toBeVisible();
    await waitForHydration(page.getByLabel("Filter by name or handle"));
  });

  test("shows the remaining quota, today's alerts and every creator, and is accessible", {
    tag: "@phone",
  }, async ({ page }) => {
    await expect(page.getByRole("banner")).toContainText(/47 of 50 (requests )?left/);
    await expect(page.getByRole("link", { name: "1 alert today" })).toHaveAttribute("href", "/alerts");
    await expect(page.getByRole("row", { name: "Sprocket Owl Strategy" })).toContainText("SURGING today, +30.0%");
    await expect(page.getByRole("rowheader")).toHaveCount(HANDLES.length);
    await expect(page.getByRole("row", { name: "The Unlisted Raccoon" })).toContainText("hidden by the channel");
    await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null/);
    await expectAccessible(page);
  });

  test("sorts and filters, keeps both in the URL, and follows the back button", async ({ page }) => {
    const names = page.getByRole("rowheader").getByRole("link");
    await page.getByRole("button", { name: "Creator" }).click();
    await expect(page).toHaveURL(/\?sort=name&order=asc$/);
    await expect(page.getByRole("columnheader", { name: "Creator" })).toHaveAttribute("aria-sort", "ascending");
    await expect(names).toHaveText(["Juniper Fivecrits", "Sprocket Owl Strategy", "The Unlisted Raccoon"]);
    await page.getByRole("button", { name: "Creator" }).click();
    await expect(names).toHaveText(["The Unlisted Raccoon", "Sprocket Owl Strategy", "Juniper Fivecrits"]);
    await page.goBack();
    await expect(names.first()).toHaveText("Juniper Fivecrits");
    await page.getByLabel("Filter by name or handle").fill("owl");
    await expect(names).toHaveText(["Sprocket Owl Strategy"]);
    await page.reload();
    await expect(names).toHaveText(["Sprocket Owl Strategy"]);
    await waitForHydration(page.getByLabel("Filter by name or handle"));
    await page.getByLabel("Filter by name or handle").fill("nothing%");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(names).toHaveCount(HANDLES.length);
    await expect(page).toHaveURL(/\/overview$/);
    await expect(page.getByLabel("Filter by name or handle")).toHaveValue("");
  });

  test("loads under 250 kB of scripts and shifts no layout", async ({ page, context }) => {
    const fresh = await context.newPage();
    const client = await context.newCDPSession(fresh);
    const scripts = new Set<string>();
    let bytes = 0;
    await client.send("Network.enable");
    await client.send("Network.setCacheDisabled", { cacheDisabled: true });
    client.on("Network.responseReceived", ({ requestId, type }) => type === "Script" && scripts.add(requestId));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (scripts.has(requestId)) bytes += encodedDataLength;
    });
    await page.close();
    await fresh.goto("/overview", { waitUntil: "networkidle" });
    await expect(fresh.getByRole("table")).toBeVisible();
    const shift = await fresh.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(list.getEntries().reduce((sum, entry) => sum + ("value" in entry ? Number(entry.value) : 0), 0)),
          ).observe({ type: "layout-shift", buffered: true });
          // Without a shift there is nothing to observe.
          requestAnimationFrame(() => setTimeout(() => resolve(0), 100));
        }),
    );
    test.info().annotations.push({ type: "compressed scripts", description: `${bytes} bytes` });
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
    expect(shift).toBeLessThan(0.02);
  });
});
