import { expect, test } from "@playwright/test";

test.describe("the home page", () => {
  test("opens with one heading of level 1 and a title", async ({ page }) => {
    const answer = await page.goto("/");
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(/\S/);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });

  test("loads whole: nothing fails, and the console has no errors", async ({ page }) => {
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => faults.push(`page: ${error.message}`));
    page.on("requestfailed", (request) => faults.push(`failed: ${request.url()}`));
    page.on("response", (response) => {
      if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
    });
    await page.goto("/", { waitUntil: "networkidle" });
    expect(faults).toEqual([]);
  });

  test("asks no other site for anything", async ({ page, baseURL }) => {
    const foreign: string[] = [];
    page.on("request", (request) => {
      const isOwn = request.url().startsWith(`${baseURL}/`) || /^(data|blob):/.test(request.url());
      if (!isOwn) foreign.push(request.url());
    });
    await page.goto("/", { waitUntil: "networkidle" });
    expect(foreign).toEqual([]);
  });

  test("needs no scrolling sideways on a screen 320 px wide", async ({ page, isMobile }) => {
    test.skip(!isMobile, "a matter of phones");
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  });
});
