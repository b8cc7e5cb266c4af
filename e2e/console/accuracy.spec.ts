import { expect, test } from "@playwright/test";

test.describe("accuracy page", () => {
  test("is public, linked from the home page, and says how alerts are graded", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Accuracy" }).click();
    await expect(page).toHaveURL(/\/accuracy$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("How our alerts turned out");
    await expect(page.getByText("Sample data", { exact: true })).toBeVisible();
    for (const name of ["After 7 days", "After 28 days", "How alerts are graded"])
      await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
  });
});
