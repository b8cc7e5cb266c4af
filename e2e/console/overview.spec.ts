import type { Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { expect, type KeyClient, requireValue, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

/** Creators that no other spec looks at: two with a count and one that hides it. */
const CREATORS = ["Sparfuchs Ottilie", "Bonds & Biscuits", "Anonymous Accountant Aunt"];
const HANDLES = ["@sparfuchsottilie", "@bondsandbiscuits", "@anonaccountantaunt"];
const [OTTILIE = "", BONDS = "", AUNT = ""] = CREATORS;

/** Tracks three creators with a history, one with a hidden count, and adds an alert today. */
async function fill(client: KeyClient): Promise<void> {
  const ids: string[] = [];
  for (const channel_id of HANDLES) {
    const { body } = await client.post("/api/track", { channel_id });
    ids.push(requireValue(body.creator?.channel_id));
  }
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  await sql`
    update channels set score_basis = 'history', subscribers = case when subscribers > 0 then 5000 end,
      score = case handle when ${requireValue(HANDLES[0])} then 10 when ${requireValue(HANDLES[1])} then 20 end
    where id in ${sql(ids)}`;
  await sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, created_at)
    values (${client.keyId}, ${requireValue(ids[0])}, (now() at time zone 'UTC')::date, 1000, 1300, 'SURGING',
      'Sparfuchs Ottilie grew 30.0% in one day (1,000 → 1,300)', now())`;
  await sql.end();
}

const getSteps = (page: Page) => page.getByRole("complementary", { name: "To your first alert" });

test.describe("overview of a new key", () => {
  test("shows the steps to a first alert beside the empty list, with one command, and is accessible", {
    tag: ["@phone", "@phone-nightly"],
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    await signIn(page, api.key);
    await page.goto("/overview");
    await expect(getSteps(page).getByRole("listitem").filter({ hasText: "(open)" })).toHaveCount(3);
    await expect(page.getByText("You track no creators yet")).toBeVisible();
    await expect(page.getByText("curl")).toHaveCount(1);
    await expect(getSteps(page).getByText("curl")).toContainText("/api/track");
    await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null/);
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("lists tracked creators with their counts and the time of their first growth, hidden ones last, the steps beside it", {
    tag: "@phone",
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    await api.post("/api/track", { channel_ids: ["@unlistedraccoon", "@tavinorrbrink", "@dungeonteapot"] });
    await signIn(page, api.key);
    await page.goto("/overview");
    await expect(page.getByRole("heading", { name: "Measured from tomorrow, 06:00 UTC" })).toBeVisible();
    await expect(page.getByText("2 creators. Growth needs a second snapshot, in")).toBeVisible();
    const row = page.getByRole("row", { name: "Tavi Norrbrink" });
    await expect(row).toContainText(/K\d[\d,]+ to \d[\d,]+/);
    await expect(page.getByRole("table")).toHaveCount(1);
    await expect(page.getByRole("row").last()).toContainText(/The Unlisted Raccoon.*hidden/);
    await expect(page.getByRole("heading", { name: "What you will see, and when" })).toBeVisible();
    await expect(async () => {
      const [rows, steps] = [await row.boundingBox(), await getSteps(page).boundingBox()];
      const isBeside = requireValue(steps).x >= requireValue(rows).x + requireValue(rows).width;
      expect(isBeside || requireValue(steps).y > requireValue(rows).y).toBe(true);
    }).toPass();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("ticks each step where it is done, the request by a call of the API alone, and then hides them", async ({
    page,
    api,
  }) => {
    await signIn(page, api.key);
    await openPage(page, "/overview", page.getByLabel("Email address for alerts"));
    const isDone = (title: string) =>
      expect(getSteps(page).getByRole("listitem").filter({ hasText: title })).toContainText("(done)");
    await page.getByRole("textbox", { name: "Niche or channels" }).fill("@sprocketowl");
    await page.keyboard.press("Enter");
    await page
      .getByRole("button", { name: /^Track/ })
      .first()
      .click();
    await isDone("Track creators");
    await page.getByLabel("Email address for alerts").fill("no address");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(getSteps(page).getByRole("alert")).toContainText("The address must be");
    await page.getByLabel("Email address for alerts").fill("scout@example.com");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await isDone("Say where alerts go");
    await expect(getSteps(page)).toContainText("2 of 3 done");
    await api.get("/api/track");
    await expect(getSteps(page)).toBeHidden();
    await page.reload();
    await expect(page.getByRole("table")).toBeVisible();
    await expect(getSteps(page)).toBeHidden();
  });
});

test.describe("overview of a key in use", () => {
  test.beforeEach(async ({ page, api }) => {
    await fill(api);
    await signIn(page, api.key);
    await openPage(page, "/overview", page.getByLabel("Filter by name or handle"));
    await expect(page.getByRole("table")).toBeVisible();
  });

  test("shows the remaining quota, today's alerts and every creator, and is accessible", {
    tag: "@phone",
  }, async ({ page }) => {
    await expect(page.getByRole("banner")).toContainText(/47 of 50 (requests )?left/);
    await expect(page.getByRole("button", { name: "Alerts today 1" }).first()).toBeVisible();
    await expect(page.getByRole("row", { name: OTTILIE })).toContainText("SURGING +30.0% today");
    await expect(page.getByRole("rowheader")).toHaveCount(HANDLES.length);
    await expect(page.getByRole("row", { name: AUNT })).toContainText("hidden by the channel");
    await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null/);
    await expectAccessible(page);
  });

  test("sorts and filters, keeps both in the URL, and follows the back button", async ({ page }) => {
    const names = page.getByRole("rowheader").getByRole("link");
    await page.getByRole("button", { name: "Creator" }).click();
    await expect(page).toHaveURL(/\?sort=name&order=asc$/);
    await expect(page.getByRole("columnheader", { name: "Creator" })).toHaveAttribute("aria-sort", "ascending");
    await expect(names).toHaveText(CREATORS.toReversed());
    await page.getByRole("button", { name: "Creator" }).click();
    await expect(names).toHaveText(CREATORS);
    await page.goBack();
    await expect(names.first()).toHaveText(AUNT);
    await page.getByLabel("Filter by name or handle").fill("ottilie");
    await expect(names).toHaveText([OTTILIE]);
    await page.reload();
    await expect(names).toHaveText([OTTILIE]);
    await waitForHydration(page.getByLabel("Filter by name or handle"));
    await page.getByLabel("Filter by name or handle").fill("nothing%");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(names).toHaveCount(HANDLES.length);
    await expect(page).toHaveURL(/\/overview\?sort=name&order=asc$/);
    await expect(page.getByLabel("Filter by name or handle")).toHaveValue("");
  });

  test("filters by size, level, niche and country, shows the filters as chips and clears them", async ({ page }) => {
    const names = page.getByRole("rowheader").getByRole("link");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Size").selectOption("Under 1K");
    await expect(page).toHaveURL(/\?size=0$/);
    await expect(page.getByText("No creators match")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Size").selectOption({ index: 2 });
    await expect(page).toHaveURL(/\?size=1000$/);
    await expect(names).toHaveText([BONDS, OTTILIE]);
    await page.getByLabel("Country").selectOption({ label: "Germany (1)" });
    await expect(names).toHaveText([OTTILIE]);
    await page.keyboard.press("Escape");
    const chips = page.getByRole("group", { name: "Active filters" });
    await chips.getByRole("button", { name: "1K to 10K" }).click();
    await expect(names).toHaveText([OTTILIE]);
    await page.reload();
    await expect(names).toHaveText([OTTILIE]);
    await waitForHydration(chips.getByRole("button"));
    await chips.getByRole("button", { name: "Germany" }).click();
    await expect(names).toHaveCount(HANDLES.length);
    await expect(chips).toBeHidden();
  });

  test("shows today's alerts and what has changed since the last visit as views", async ({ page }) => {
    const names = page.getByRole("rowheader").getByRole("link");
    const views = page.getByRole("navigation", { name: "Lists", exact: true }).first();
    await views.getByRole("button", { name: "Alerts today 1" }).click();
    await expect(page).toHaveURL(/\?show=alerts$/);
    await expect(names).toHaveText([OTTILIE]);
    await expect(views.getByRole("button", { name: "Since your last visit" })).toHaveCount(0);
    const showAll = page.getByRole("button", { name: "Show all creators" });
    await openPage(page, `/overview?show=${new Date().toISOString()}`, showAll);
    await expect(page.getByText("Nothing has changed since your last visit")).toBeVisible();
    await showAll.click();
    await expect(names).toHaveCount(HANDLES.length);
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
