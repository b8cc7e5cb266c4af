import postgres from "postgres";
import { expectAccessible, signIn } from "../console";
import { expect, requireValue, test } from "../fixtures";
import { getBaseUrl, getDatabaseUrl } from "../product";

test("a missing page shows the request id to report and is accessible", {
  tag: "@phone",
}, async ({ page }) => {
  const answer = await page.goto("/nothing-here");
  expect(answer?.status()).toBe(404);
  const id = requireValue(answer?.headers()["x-request-id"]);
  expect(id).toMatch(/^req_[0-9a-f]{24}$/);
  await expect(page.getByRole("main")).toContainText(`request ID ${id}`);
  await expectAccessible(page);
});

test("a new service's accuracy page shows no results, and a failed page shows the request id", async ({
  page,
  site,
}) => {
  const product = await site.start();
  const accuracy = await (await fetch(`${getBaseUrl(site.port)}/accuracy`)).text();
  for (const text of ["What will stand here", "There was no alert yet."]) expect(accuracy).toContain(text);
  expect(accuracy).not.toContain("<table");

  const sql = postgres(getDatabaseUrl(site.dataDir), { max: 1 });
  await sql`alter table alerts rename to away`;
  const answer = await page.goto(`${getBaseUrl(site.port)}/accuracy`);
  const id = requireValue(answer?.headers()["x-request-id"]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Something went wrong");
  await expect(page.getByRole("main")).toContainText(`request ID ${id}`);
  await expectAccessible(page);
  await sql`alter table away rename to alerts`;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Every score is graded a week later");
  await sql.end();
  const { stdout } = await product.stop();
  expect(stdout).toContain(`"requestId":"${id}"`);
});

test("a page without a connection shows a notice, then loads once the connection is back", async ({
  api,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL, serviceWorkers: "allow" });
  const page = await context.newPage();
  await signIn(page, api.key);
  await page.goto("/overview");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await context.setOffline(true);
  await page.getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The service cannot be reached");
  await expect(page.getByRole("main")).toContainText("What was not saved may be lost.");
  await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await context.close();
});
