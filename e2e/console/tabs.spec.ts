import type { Page } from "@playwright/test";
import { openPage, signIn } from "../console";
import { createClientWithKey, expect, type KeyClient, requireValue, test } from "../fixtures";

/** The account name in the navigation. */
const getAccount = (page: Page, tier: string) => page.getByText(`e2e ${tier}`, { exact: true }).first();

test.describe("sign-in with another key in another tab", () => {
  let other: KeyClient;
  let channelId: string;

  test.beforeEach(async ({ page, api }) => {
    other = await createClientWithKey("starter");
    const tracked = await api.post("/api/track", { channel_id: "@sprocketowl" });
    channelId = requireValue(tracked.body.creator?.channel_id);
    await signIn(page, api.key);
  });

  async function signInElsewhere(page: Page): Promise<void> {
    // Before switching tabs, because that refetches, which would end the session.
    await signIn(page, other.key);
    const tab = await page.context().newPage();
    await tab.close();
  }

  test("a page changes nothing of that key, and shows its account", async ({ page, api }) => {
    await openPage(page, "/settings", page.getByLabel("Address"));
    await expect(getAccount(page, "free")).toBeVisible();
    await page.getByLabel("Address").fill("scout@example.com");
    await signInElsewhere(page);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(getAccount(page, "starter")).toBeVisible();
    await expect(page).toHaveURL(/\/settings$/);
    await expect(page.getByLabel("Address")).toHaveValue("");
    for (const client of [api, other])
      expect((await client.get("/api/alerts/email")).body).toMatchObject({ email: null });
  });

  for (const [name, tag] of [
    ["Overview", "@every-run"],
    ["Usage", "@nightly"],
    ["Requests", "@nightly"],
  ] as const)
    test(`going to ${name} shows nothing of the earlier account`, { tag }, async ({ page }) => {
      await page.goto("/settings", { waitUntil: "networkidle" });
      await signInElsewhere(page);
      await page.getByRole("link", { name }).click();
      await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}$`));
      await expect(getAccount(page, "starter")).toBeVisible();
      await expect(getAccount(page, "free")).toHaveCount(0);
    });

  test.describe("a followed link", () => {
    /** Makes the page check its session again; it may already have navigated. */
    const returnToTab = (page: Page) =>
      page.evaluate(() => void dispatchEvent(new Event("visibilitychange"))).catch(() => {});

    test.beforeEach(async ({ page }) => {
      await page.goto("/settings", { waitUntil: "networkidle" });
      // The router's request gets no response.
      await page.route(
        ({ searchParams }) => searchParams.has("_rsc"),
        () => {},
      );
    });

    test("leads to its target while the page detects the change", async ({ page }) => {
      await page.getByRole("link", { name: "Usage" }).click();
      await signIn(page, other.key);
      void returnToTab(page);
      await expect(page).toHaveURL(/\/usage$/);
      await expect(getAccount(page, "starter")).toBeVisible();
      await expect(getAccount(page, "free")).toHaveCount(0);
    });

    test("leads to its target while the page is being left", async ({ page }) => {
      // The next page does not load.
      await page.route(/\/sign-in\?ended=&to=%2Fsettings/, () => {});
      await page.getByRole("link", { name: "Usage" }).evaluate((link: HTMLElement) => {
        addEventListener("beforeunload", () => setTimeout(() => link.click()), { once: true });
      });
      await signIn(page, other.key);
      void returnToTab(page);
      await expect(page).toHaveURL(/\/usage$/);
      await expect(getAccount(page, "starter")).toBeVisible();
    });
  });

  test("going to a creator shows nothing of the earlier account", async ({ page }) => {
    await page.goto("/overview", { waitUntil: "networkidle" });
    await signInElsewhere(page);
    await page.locator(`a[href="/creators/${channelId}"]`).first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not tracked");
    await expect(getAccount(page, "starter")).toBeVisible();
  });
});

test.describe("sign-out in another tab", () => {
  test.beforeEach(async ({ page, api }) => {
    await signIn(page, api.key);
    await page.goto("/overview", { waitUntil: "networkidle" });
    const tab = await page.context().newPage();
    const signOut = tab.getByRole("button", { name: "Sign out" });
    await openPage(tab, "/settings", signOut);
    await signOut.click();
    await expect(tab).toHaveURL(/\/sign-in$/);
    await tab.close();
  });

  test("Back shows nothing of the key any more", async ({ page }) => {
    await page.getByRole("link", { name: "Usage" }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    await expect(page.getByLabel("API key", { exact: true })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/sign-in/);
    await expect(getAccount(page, "free")).toHaveCount(0);
  });

  test("returning to a page leaves it", async ({ page }) => {
    await expect(getAccount(page, "free")).toBeVisible();
    // Browsers fire these when a tab is shown again or restored by Back.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await expect(page).toHaveURL(/\/sign-in\?ended=$/);
  });
});
