import { expect, test } from "@playwright/test";

test.describe("accuracy page", () => {
  test("is public, linked from the home page, and says how alerts are graded", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Accuracy" }).first().click();
    await expect(page).toHaveURL(/\/accuracy$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Every score is graded a week later");
    await expect(page.getByText("Sample data", { exact: true })).toBeVisible();
    for (const name of ["What will stand here", "What became of alerts?", "How it is measured"])
      await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
  });
});
