import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { getSampleChannelId } from "@/platform/sample";
import { endSessionAt, expectAccessible, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { expect, getRequestsToday, requireValue, spendDay, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

const SEARCH = /discovery\.discover/;

const getBox = (page: Page) => page.getByRole("textbox", { name: "Niche or channels" });
const getMain = (page: Page) => page.getByRole("main");
const getRows = (page: Page) => page.getByRole("table").getByRole("rowheader").getByRole("link");
const getRow = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const getResultsHeading = (page: Page, niche: string) =>
  page.getByRole("heading", { level: 2, name: niche, exact: true });

/** Waits for the results of the latest filters and order. */
const expectSettled = (page: Page) => expect(getMain(page).locator("[aria-busy=true]")).toHaveCount(0);

async function ask(page: Page, niche: string): Promise<void> {
  await waitForHydration(getBox(page));
  await getBox(page).fill(niche);
  await page.getByRole("button", { name: "Search", exact: true }).click();
}

async function search(page: Page, niche: string): Promise<void> {
  await ask(page, niche);
  await expect(getResultsHeading(page, niche)).toBeVisible();
}

/** Counts the searches of the page from now on. */
function countSearches(page: Page): () => number {
  let searches = 0;
  page.on("request", (request) => {
    if (SEARCH.test(request.url())) searches++;
  });
  return () => searches;
}

test.describe("discover page", () => {
  test.beforeEach(async ({ page, api }) => {
    await signIn(page, api.key);
    await openPage(page, "/discover", getBox(page));
    await expect(page.getByRole("button", { name: /^gaming \d+/ })).toBeVisible();
  });

  test("searches a known niche with one request, shows who was found and why, and is accessible", {
    tag: "@phone",
  }, async ({ page, api, isMobile }) => {
    const faults = watchFaults(page);
    await expectAccessible(page);
    await expect(getMain(page)).toContainText("1 request each; sorting and filtering are free");
    await expect(getMain(page)).toContainText("2 of 2 new niches left today");
    await page.getByRole("button", { name: /^gaming \d+ creators/ }).click();
    await expect(getResultsHeading(page, "gaming")).toBeVisible();
    expect(await getRequestsToday(api)).toBe(2);
    await expect(getMain(page)).toContainText(/\d+ creators, \d+ rising\. Updated/);
    await expect(getMain(page)).toContainText("2 of 2 new niches left today");
    if (!isMobile) {
      await page
        .getByRole("table")
        .getByRole("checkbox", { name: /^Select (?!all)/ })
        .first()
        .check();
    }
    const raccoon = getRow(page, "The Unlisted Raccoon");
    await expect(raccoon).toContainText("hidden by the channel");
    await expect(getMain(page)).toContainText("from tomorrow");
    await expect(getMain(page)).not.toContainText(/undefined|NaN|null/);
    const heights = await getRows(page).evaluateAll((links) => links.map((link) => link.closest("tr")?.offsetHeight));
    expect([...new Set(heights)]).toEqual([isMobile ? 66 : 60]);
    if (isMobile) {
      await raccoon.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Track 1", exact: true }).click();
      await expect(raccoon.getByLabel("Tracked")).toBeVisible();
    } else {
      await raccoon.getByRole("button").click();
      await expect(raccoon.getByRole("status")).toContainText("Tracked");
    }
    // A button half under the table's head counts as too small.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("sorts, filters, saves and reloads the results for free", async ({ page, api }) => {
    const searches = countSearches(page);
    await search(page, "cooking");
    const all = await getRows(page).count();
    await page.getByRole("columnheader", { name: "Subs" }).getByRole("button").click();
    await expect(page.getByRole("columnheader", { name: "Subs" })).toHaveAttribute("aria-sort", "descending");
    const country = page.getByLabel("Country");
    const size = page.getByRole("button", { name: /^Size: / });
    await country.selectOption("US");
    await size.click();
    await page.getByLabel("Max. subscribers").fill("2,000,000");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(size).toHaveText("Up to 2M");
    await expectSettled(page);
    const shown = await getRows(page).allInnerTexts();
    expect(shown.length).toBeLessThan(all);

    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV of the shown creators" }).click();
    const file = await (await saving).path();
    expect((await readFile(file, "utf8")).trim().split("\r\n")).toHaveLength(1 + shown.length);

    await page.reload();
    await expect(country).toHaveValue("US");
    await expect(size).toHaveText("Up to 2M");
    await expect(getRows(page)).toHaveText(shown);
    await waitForHydration(country);
    await country.selectOption("");
    await expect(page).not.toHaveURL(/country=/);
    await page.goBack();
    await expect(country).toHaveValue("US");
    await size.click();
    await page.getByLabel("Min. subscribers").fill("3,000,000");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Must not exceed the maximum")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(getRows(page)).toHaveCount(all);
    await page.getByLabel("Level").selectOption("Rising only");
    await expect(page.getByRole("heading", { name: "No creators match" })).toBeVisible();
    expect(searches()).toBe(1);
    expect(await getRequestsToday(api)).toBe(2);
  });

  test("searches only on request, and keeps the results when going back and reloading", async ({ page, api }) => {
    const searches = countSearches(page);
    const searchFitness = page.getByRole("button", { name: "Search “fitness” (1 request)" });
    await openPage(page, "/discover?niche=fitness&min=100", searchFitness);
    await expect(getBox(page)).toHaveValue("fitness");
    await searchFitness.click();
    await expect(getResultsHeading(page, "fitness")).toBeVisible();
    await expect(page.getByRole("button", { name: "Size: 100 or more" })).toBeVisible();
    await search(page, "cooking");
    await page.goBack();
    await expect(getResultsHeading(page, "fitness")).toBeVisible();
    await page.goForward();
    await expect(getResultsHeading(page, "cooking")).toBeVisible();
    await page.reload();
    await expect(getResultsHeading(page, "cooking")).toBeVisible();
    await search(page, "fitness");
    expect(searches()).toBe(2);
    expect(await getRequestsToday(api)).toBe(3);
  });

  test("tracks and undoes it by keyboard alone", async ({ page, api }) => {
    const faults = watchFaults(page);
    await getBox(page).focus();
    await page.keyboard.type("gaming");
    await page.keyboard.press("Enter");
    const track = page.getByRole("button", { name: "Track Sprocket Owl Strategy" });
    await track.focus();
    await page.keyboard.press("Enter");
    const owl = getRow(page, "Sprocket Owl Strategy");
    await expect(owl.getByRole("status")).toContainText("Tracked Sprocket Owl Strategy");
    await expect(owl.getByRole("button", { name: "Undo Sprocket Owl Strategy" })).toBeFocused();
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
    await page.keyboard.press("Enter");
    await expect(track).toBeFocused();
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(0);
    expect(faults).toEqual([]);
  });

  test("tracks the selected, then all others, with one request each, and shows failures in their rows", async ({
    page,
    api,
  }) => {
    const niche = await plantNiche();
    await search(page, niche);
    await page.getByRole("checkbox", { name: "Select Keyframe Diaries" }).check();
    await page.getByRole("checkbox", { name: "Select Gone Wandering" }).check();
    await page.getByRole("button", { name: "Track 2", exact: true }).click();
    await expect(getMain(page)).toContainText("Now tracking 1 more creator. 1 creator could not be tracked");
    await expect(getRow(page, "Gone Wandering")).toContainText("Channel not found on the platform");
    await expect(page.getByRole("region", { name: "Selected creators" })).toContainText(
      /1 selected, uses 1 of \d+ requests/,
    );
    await page.getByRole("button", { name: "Not tracked" }).click();
    await expect(page.getByRole("button", { name: "Not tracked" })).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("checkbox", { name: "Select all 3 creators not tracked yet" }).check();
    await page.getByRole("button", { name: "Track 3", exact: true }).click();
    await expect(getMain(page)).toContainText("Now tracking 2 more creators.");
    expect((await api.get("/api/track")).body.pagination?.total).toBe(3);
    // Three by the page, the list of tracked creators, and this request.
    expect(await getRequestsToday(api)).toBe(5);
  });

  test("tracks the selected and adds them to a new list with one request", async ({ page, api }) => {
    await search(page, "travel");
    const boxes = page.getByRole("table").getByRole("checkbox", { name: /^Select (?!all)/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await page.getByRole("button", { name: "Add to list" }).click();
    await page.getByRole("button", { name: "New list" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Travellers");
    await dialog.getByRole("button", { name: "Create list" }).click();
    await expect(page.getByText("Added 2 creators to Travellers")).toBeVisible();
    expect((await api.get("/api/track")).body.pagination?.total).toBe(2);
    await expect(page.getByRole("region", { name: "Selected creators" })).toHaveCount(0);
  });

  test("keeps the results when tracking fails, and tracks on a retry", async ({ page, context, api }) => {
    await search(page, "gaming");
    await context.setOffline(true);
    const owl = getRow(page, "Sprocket Owl Strategy");
    await owl.getByRole("button", { name: "Track Sprocket Owl Strategy" }).click();
    await expect(owl.getByRole("alert")).toContainText("cannot be reached");
    await expect(getResultsHeading(page, "gaming")).toBeVisible();
    await context.setOffline(false);
    await owl.getByRole("button", { name: "Try again (1 request)" }).click();
    await expect(owl.getByRole("status")).toContainText("Tracked Sprocket Owl Strategy");
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
  });

  test("offers the niche that was meant, and spends a new niche only where the reader says so", async ({
    page,
    api,
  }) => {
    await ask(page, "gammin");
    const question = page.getByRole("status").filter({ hasText: "Did you mean" });
    await expect(question).toHaveText("Did you mean gaming? Search “gammin” anyway (1 request, 1 of 2 new niches)");
    await expectAccessible(page);
    expect(await getRequestsToday(api)).toBe(1);
    // Twice at once, before the page can answer the first.
    await question.getByRole("button", { name: "gaming", exact: true }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect(getResultsHeading(page, "gaming")).toBeVisible();
    await expect(question).toHaveCount(0);
    await expect(getMain(page)).toContainText("2 of 2 new niches left today");
    await ask(page, "gammin");
    await question.getByRole("button", { name: "Search “gammin” anyway" }).click();
    await expect(getMain(page)).toContainText("1 of 2 new niches left today");
    expect(await getRequestsToday(api)).toBe(4);
  });

  test("never shows the start page between a search and its results", async ({ page }) => {
    await page.evaluate(() => {
      const texts: string[] = [];
      Object.assign(window, { texts });
      new MutationObserver(() => texts.push(document.querySelector("main")?.innerText ?? "")).observe(document.body, {
        childList: true,
        subtree: true,
      });
    });
    await search(page, "gaming");
    const texts = await page.evaluate(() => (window as unknown as { texts: string[] }).texts);
    const firstSkeleton = texts.findIndex((text) => !text.includes("Who is rising in a niche?"));
    expect(firstSkeleton).toBeGreaterThan(-1);
    expect(texts.slice(firstSkeleton).filter((text) => text.includes("Who is rising in a niche?"))).toEqual([]);
  });

  test("queues a new niche over the limit, or shows a related one", async ({ page, api }) => {
    const createUnknownNiche = () => randomBytes(6).toString("hex");
    const askAnyway = async (niche: string) => {
      await ask(page, niche);
      await page.getByRole("button", { name: `Search “${niche}”` }).click();
    };
    await askAnyway(createUnknownNiche());
    await expect(getMain(page)).toContainText("1 of 2 new niches left today");
    await askAnyway(createUnknownNiche());
    await expect(getMain(page)).toContainText("0 of 2 new niches left today; more wait in a queue");
    await ask(page, "cooking shows");
    await expect(page.getByRole("status").filter({ hasText: "Did you mean cooking?" })).toContainText(
      "(1 request, queued: no new niche left today)",
    );
    await page.getByRole("button", { name: "Search “cooking shows” anyway" }).click();
    await expect(page.getByRole("note")).toContainText(
      /“cooking shows” is queued, ready by \w+ [\d:]+ UTC\. Meanwhile, these are the creators of “.+”\./,
    );
    await expect(getRows(page).first()).toBeVisible();
    await expectAccessible(page);
    const niche = createUnknownNiche();
    await askAnyway(niche);
    await expect(getResultsHeading(page, `“${niche}” is queued`)).toBeVisible();
    await expect(getMain(page)).toContainText(/Ready by \w+ [\d:]+ UTC/);
    await expectAccessible(page);
    await page.reload();
    await expect(getResultsHeading(page, `“${niche}” is queued`)).toBeVisible();
    expect(await getRequestsToday(api)).toBe(5);
  });

  test("leads from a channel entered as a niche to tracking it", async ({ page, api }) => {
    const { body } = await api.post("/api/track", { channel_id: "@sprocketowl" });
    const id = requireValue(body.creator?.channel_id);
    const track = page.getByRole("button", { name: `Track ${id}` });
    await openPage(page, `/discover?niche=${id}`, track);
    await track.click();
    await expect(page.getByRole("region", { name: "Channels to track" })).toContainText("Already tracked");
    expect(await getRequestsToday(api)).toBe(2);
  });

  test("explains a spent quota, and keeps the input and results", async ({ page, api }) => {
    await search(page, "gaming");
    await spendDay(api);
    await ask(page, "cooking");
    const notice = page.getByRole("alert").filter({ hasText: "No requests left today" });
    await expect(notice).toContainText("You have used all 50 requests for today.");
    await expect(notice).toContainText("at midnight UTC");
    await expect(getBox(page)).toHaveValue("cooking");
    await expect(getResultsHeading(page, "gaming")).toBeVisible();
    await expectAccessible(page);
  });

  test("returns to the same results when the session ends while tracking", async ({ page, api }) => {
    await search(page, "gaming");
    await page.getByLabel("Sort by").selectOption("subscribers");
    await expect(page).toHaveURL(/sort=subscribers/);
    await expectSettled(page);
    await endSessionAt(page, "creators.track");
    await page.getByRole("button", { name: "Track Sprocket Owl Strategy" }).click();
    await page.getByRole("textbox", { name: "API key" }).fill(api.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/discover\?niche=gaming&sort=subscribers$/);
    await expect(getResultsHeading(page, "gaming")).toBeVisible();
    await expect(getRow(page, "Sprocket Owl Strategy")).toBeVisible();
    expect(await getRequestsToday(api)).toBe(2);
  });
});

/** Adds a niche to the index: three channels of the sample, and one that the platform no longer has. @returns its name */
async function plantNiche(): Promise<string> {
  const niche = randomBytes(6).toString("hex");
  const members = [
    { id: getSampleChannelId("@keyframediaries"), name: "Keyframe Diaries" },
    { id: getSampleChannelId("@tweenparade"), name: "Tween Parade" },
    { id: getSampleChannelId("@inkwellsociety"), name: "Inkwell Society" },
    { id: `UC${randomBytes(11).toString("hex")}`, name: "Gone Wandering" },
  ];
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  await sql`insert into niches (niche, spelling, refreshed_at) values (${niche}, ${niche}, now())`;
  for (const { id, name } of members) {
    await sql`
      insert into channels (id, name, status, score_basis, score_version) values (${id}, ${name}, 'active', 'profile', 1)
      on conflict do nothing`;
    await sql`insert into niche_channels (niche, channel_id, found_at) values (${niche}, ${id}, now())`;
  }
  await sql.end();
  return niche;
}
