import { expect, test } from "../fixtures";
import { baseUrl } from "../product";

test.describe("the accuracy page", () => {
  test("is open to everybody, says how alerts are graded, and invents no figures", async ({ page, site }) => {
    // A service without any alert, which the shared one has from other specs.
    await site.start();
    const answer = await page.goto(`${baseUrl(site.port)}/accuracy`);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("How our alerts turned out");
    await expect(page.getByText("Sample data", { exact: true })).toBeVisible();
    for (const name of ["After 7 days", "After 28 days", "How alerts are graded"])
      await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
    await expect(page.getByText(/No alert of these days is (7|28) days old yet/)).toHaveCount(2);
    await expect(page.getByRole("table")).toHaveCount(0);
  });

  test("is found from the home page", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Accuracy" }).click();
    await expect(page).toHaveURL(/\/accuracy$/);
  });

  test("needs no scrolling sideways on a screen 320 px wide", async ({ page, isMobile }) => {
    test.skip(!isMobile, "a matter of phones");
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto("/accuracy");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  });
});
