import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expectAccessible, signIn, watchFaults } from "../console";
import { expect, requestsToday, spendDay, test } from "../fixtures";

const SEARCH = /discovery\.discover/;

const cards = (page: Page) => page.getByRole("article");
const card = (page: Page, name: string) => cards(page).filter({ hasText: name });

async function search(page: Page, niche: string): Promise<void> {
  await page.getByRole("textbox", { name: "Niche or channels" }).fill(niche);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: niche })).toBeVisible();
}

/** How often the page has searched since. */
function countSearches(page: Page): () => number {
  let searches = 0;
  page.on("request", (request) => {
    if (SEARCH.test(request.url())) searches++;
  });
  return () => searches;
}

test.describe("discover", () => {
  test.beforeEach(async ({ page, api }) => {
    await signIn(page, api.key);
    await page.goto("/discover");
    await expect(page.getByRole("button", { name: "gaming", exact: true })).toBeVisible();
  });

  test("searches a niche for one request, shows who was found and why, and is accessible before and after", {
    tag: "@phone",
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    await expect(page.getByText("Who is rising in a niche?")).toBeVisible();
    await expectAccessible(page);
    await expect(main(page)).toContainText("Searching and tracking each use 1 of your 50 daily requests");
    await search(page, "gaming");
    expect(await requestsToday(api)).toBe(2);
    await expect(main(page)).toContainText(/\d+ creators, best score first. Updated/);
    await expect(card(page, "The Unlisted Raccoon")).toContainText("hidden by the channel");
    const first = cards(page).first();
    await first.getByText(/^Why \d+\?/).click();
    await expect(first).toContainText(/No growth measured yet|The score compares growth/);
    await expect(main(page)).not.toContainText(/undefined|NaN|null/);
    expect(faults).toEqual([]);
    await page
      .getByRole("button", { name: /^Track / })
      .first()
      .click();
    await expectAccessible(page);
  });

  test("searches a suggested niche within bounds and says when no creators match", async ({ page }) => {
    await page.getByLabel("Max. subscribers").fill("10,000");
    await page.getByRole("button", { name: "cooking", exact: true }).click();
    await expect(page.getByRole("heading", { level: 2, name: "cooking" })).toBeVisible();
    await expect(page).toHaveURL(/niche=cooking/);
    await expect(cards(page).first()).toBeVisible();
    for (const text of await cards(page).allInnerTexts())
      expect(text).not.toMatch(/Subscribers\s+\d+(\.\d+)?M/);
    await page.getByLabel("Min. subscribers").fill("10000");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("No creators match")).toBeVisible();
  });

  test("searches only when asked, and keeps the results over going back and reloading", async ({
    page,
    api,
  }) => {
    const searches = countSearches(page);
    await page.goto("/discover?niche=fitness&min=100");
    await expect(page.getByRole("textbox", { name: "Niche or channels" })).toHaveValue("fitness");
    await expect(page.getByLabel("Min. subscribers")).toHaveValue("100");
    await expect(main(page)).toContainText("Search “fitness” to see its creators");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(cards(page).first()).toBeVisible();
    await search(page, "cooking");
    await page.goBack();
    await expect(page.getByRole("heading", { level: 2, name: "fitness" })).toBeVisible();
    await page.goForward();
    await expect(page.getByRole("heading", { level: 2, name: "cooking" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { level: 2, name: "cooking" })).toBeVisible();
    await expect(cards(page).first()).toBeVisible();
    expect(searches()).toBe(2);
    expect(await requestsToday(api)).toBe(3);
  });

  test("tracks and takes it back by keyboard alone", async ({ page, api }) => {
    const faults = watchFaults(page);
    await page.getByRole("textbox", { name: "Niche or channels" }).focus();
    await page.keyboard.type("gaming");
    await page.keyboard.press("Enter");
    const track = page.getByRole("button", { name: "Track Sprocket Owl Strategy" });
    await track.focus();
    await page.keyboard.press("Enter");
    const owl = card(page, "Sprocket Owl Strategy");
    await expect(owl.getByRole("status")).toContainText("Tracked Sprocket Owl Strategy");
    const undo = owl.getByRole("button", { name: "Undo tracking Sprocket Owl Strategy" });
    await expect(undo).toBeFocused();
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
    await page.keyboard.press("Enter");
    await expect(track).toBeFocused();
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(0);
    await page.keyboard.press("Enter");
    await owl.getByRole("link", { name: "Sprocket Owl Strategy" }).focus();
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sprocket Owl Strategy");
    expect(faults).toEqual([]);
  });

  test("keeps the results when tracking finds the service down, and tracks on a retry", async ({
    page,
    context,
    api,
  }) => {
    await search(page, "gaming");
    await context.setOffline(true);
    const owl = card(page, "Sprocket Owl Strategy");
    await owl.getByRole("button", { name: "Track Sprocket Owl Strategy" }).click();
    await expect(owl.getByRole("alert")).toContainText("cannot be reached");
    await expect(page.getByRole("heading", { level: 2, name: "gaming" })).toBeVisible();
    await context.setOffline(false);
    await owl.getByRole("button", { name: "Try again" }).click();
    await expect(owl.getByRole("status")).toContainText("Tracked Sprocket Owl Strategy");
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
  });

  test("says when the answer is that of the nearest niche", async ({ page, pro }) => {
    expect((await pro.get("/api/discover?niche=gaming")).status).toBe(200);
    // A free key's look-ups of new niches for the day; those of a niche that somebody asked for before are none.
    for (const word of ["first", "second"]) await search(page, `${word} ${randomBytes(6).toString("hex")}`);
    await page.getByRole("textbox", { name: "Niche or channels" }).fill("gamming");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByRole("note")).toContainText('Results for the similar niche "gaming"');
    await expect(page.getByRole("heading", { level: 2, name: "gaming" })).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Niche or channels" })).toHaveValue("gamming");
  });

  test("says at the field what is wrong before it costs a request", async ({ page, api }) => {
    const searches = countSearches(page);
    await page.getByLabel("Min. subscribers").fill("2,000");
    await page.getByLabel("Max. subscribers").fill("1000");
    await page.getByRole("textbox", { name: "Niche or channels" }).fill("gaming");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await expect(page.getByText("Must not exceed the maximum")).toBeVisible();
    await expect(page.getByLabel("Min. subscribers")).toHaveAttribute("aria-invalid", "true");
    expect(searches()).toBe(0);
    expect(await requestsToday(api)).toBe(1);
  });

  test("explains a spent day, and keeps what was typed and found", async ({ page, api }) => {
    await search(page, "gaming");
    await spendDay(api);
    await page.getByRole("textbox", { name: "Niche or channels" }).fill("cooking");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    const notice = page.getByRole("alert").filter({ hasText: "No requests left today" });
    await expect(notice).toContainText("You have used all 50 requests for today.");
    await expect(notice).toContainText("at midnight UTC");
    await expect(page.getByRole("textbox", { name: "Niche or channels" })).toHaveValue("cooking");
    await expect(page.getByRole("heading", { level: 2, name: "gaming" })).toBeVisible();
    await expectAccessible(page);
  });

  test("returns to the same results when the session ends while tracking", async ({ page, context, api }) => {
    await search(page, "gaming");
    await context.clearCookies();
    await page.getByRole("button", { name: "Track Sprocket Owl Strategy" }).click();
    await page.getByRole("textbox", { name: "API key" }).fill(api.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/discover\?niche=gaming$/);
    await expect(page.getByRole("heading", { level: 2, name: "gaming" })).toBeVisible();
    await expect(card(page, "Sprocket Owl Strategy")).toBeVisible();
    expect(await requestsToday(api)).toBe(2);
  });
});

function main(page: Page) {
  return page.getByRole("main");
}
