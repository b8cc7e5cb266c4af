import type { Page } from "@playwright/test";
import { expectAccessible, signIn, waitForHydration, watchFaults } from "../console";
import { expect, getRequestsToday, test } from "../fixtures";

const LIST = ["Name,Channel", "Juniper,youtube.com/@JuniperFiveCrits", "@sprocketowl", "not a channel"].join("\n");

const getBox = (page: Page) => page.getByRole("textbox", { name: "Niche or channels" });
const getPanel = (page: Page) => page.getByRole("region", { name: "Channels to track" });

test.describe("box for niches and channels", () => {
  test.beforeEach(async ({ page, api }) => {
    await signIn(page, api.key);
    await page.goto("/overview", { waitUntil: "networkidle" });
    await waitForHydration(getBox(page));
  });

  test("previews a list, takes a correction in its line, and tracks it with one request", {
    tag: "@phone",
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    await getBox(page).fill(LIST);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(getPanel(page)).toContainText("Juniper Fivecrits");
    await expect(getPanel(page).getByRole("status")).toHaveText("2 to track · 1 line to correct");
    await expect(getPanel(page)).toContainText("100 of 100 look-ups left today");
    await expect(getPanel(page).getByRole("textbox", { name: "Line 4" })).toHaveAccessibleDescription(/^Must be a/);
    await expectAccessible(page);
    await getPanel(page).getByRole("textbox", { name: "Line 4" }).fill("@unlistedraccoon");
    await page.keyboard.press("Enter");
    await expect(getPanel(page)).toContainText("subscribers hidden by the channel");
    await page.getByRole("button", { name: "Track 3 creators · 1 request" }).click();
    await expect(getPanel(page).getByRole("status")).toHaveText("Now tracking 3 more creators");
    await expect(page.getByRole("table").getByText("Sprocket Owl Strategy")).toBeVisible();
    await expectAccessible(page);
    await getPanel(page).getByRole("button", { name: "Done" }).click();
    await expect(getBox(page)).toHaveValue("");
    // The request that asks is the second.
    expect(await getRequestsToday(api)).toBe(2);
    expect((await api.get("/api/track")).body.pagination?.total).toBe(3);
    expect(faults).toEqual([]);
  });

  test("continues with the next lines of a long list, however many lines are wrong", async ({ page }) => {
    const wrong = Array.from({ length: 501 }, (_, line) => `https://example.com/${line}`);
    await getBox(page).fill([...wrong, "@sprocketowl"].join("\n"));
    await expect(getPanel(page)).toContainText("The other 2 stay in the box.");
    await getPanel(page).getByRole("button", { name: "Next lines" }).click();
    await expect(getPanel(page).getByRole("status")).toHaveText("499 lines to correct · 1 to look up");
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("button", { name: "Track 1 creator · 1 request" })).toBeVisible();
  });

  test("keeps a list while the service is down and across a sign-in", async ({ page, context, api }) => {
    await getBox(page).fill(LIST);
    await page.keyboard.press("Enter");
    const track = page.getByRole("button", { name: "Track 2 creators · 1 request" });
    await expect(track).toBeVisible();
    await context.setOffline(true);
    await track.click();
    await expect(getPanel(page).getByRole("alert")).toContainText("cannot be reached");
    await expect(getBox(page)).toHaveValue(LIST);
    await context.setOffline(false);
    await context.clearCookies();
    await track.click();
    await page.getByRole("textbox", { name: "API key" }).fill(api.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(getBox(page)).toHaveValue(LIST);
    expect(await getRequestsToday(api)).toBe(1);
  });

  test("opens from the command menu, which previews channels and searches niches", async ({ page, api }) => {
    const menu = page.getByLabel("Page, creator, @handle, niche or action");
    const choose = async (typed: string, action: string) => {
      await page.keyboard.press("ControlOrMeta+K");
      await menu.fill(typed);
      await page.getByRole("button", { name: action }).click();
    };
    await choose("@sprocketowl", "Track @sprocketowl");
    await expect(getPanel(page)).toContainText("Sprocket Owl Strategy");
    await page.reload({ waitUntil: "networkidle" });
    await expect(getPanel(page).getByRole("status")).toHaveText("1 to look up");
    await choose("cooking", "Search niche “cooking”");
    await expect(page).toHaveURL(/\/discover\?niche=cooking$/);
    await expect(page.getByRole("heading", { level: 2, name: "cooking", exact: true })).toBeVisible();
    expect(await getRequestsToday(api)).toBe(2);
  });
});
