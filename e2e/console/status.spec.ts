import { expectAccessible, watchFaults } from "../console";
import { anonymous, expect, test } from "../fixtures";

test("the status page is public, linked from the home page, accessible, and agrees with the JSON", {
  tag: "@phone",
}, async ({ page }) => {
  const faults = watchFaults(page);
  await page.goto("/");
  await page.getByRole("link", { name: "Status" }).first().click();
  await expect(page).toHaveURL(/\/status$/);
  for (const name of ["Daily runs", "Incidents"])
    await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
  await expectAccessible(page);
  const { status, body } = await anonymous.get("/api/status");
  expect(status).toBe(200);
  if (await page.locator("summary").count()) await page.locator("summary").click();
  const rows = page.getByRole("table", { name: "Daily runs of the last 30 days" }).getByRole("row");
  if (Array.isArray(body.runs) && body.runs.length > 0) await expect(rows).toHaveCount(body.runs.length + 1);
  else await expect(page.getByText("There was no daily run in the last 30 days.")).toBeVisible();
  expect(faults).toEqual([]);
});
