import { expectAccessible, openPage, signIn, watchFaults } from "../console";
import { expect, requireValue, test } from "../fixtures";

test("a creator is shared by a link without a key, until the link is revoked @phone", async ({
  page,
  api,
  browser,
}) => {
  const { body } = await api.post("/api/track", { channel_id: "@sprocketowl" });
  const id = requireValue(body.creator?.channel_id);
  await signIn(page, api.key);
  const share = page.getByRole("button", { name: "Share", exact: true });
  await openPage(page, `/creators/${id}`, share);
  await share.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("30 days", { exact: true }).click();
  await dialog.getByRole("button", { name: "Make link" }).click();
  const link = dialog.getByLabel("Link", { exact: true });
  await expect(link).toHaveValue(/\/shared\/[\w-]{43}$/);
  const path = new URL(await link.inputValue()).pathname;

  const context = await browser.newContext({ viewport: page.viewportSize() });
  const reader = await context.newPage();
  const faults = watchFaults(reader);
  const answer = requireValue(await reader.goto(path));
  expect(answer.headers()).toMatchObject({
    "cache-control": expect.stringContaining("no-store"),
    "x-robots-tag": expect.stringContaining("noindex"),
    "referrer-policy": "no-referrer",
  });
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Sprocket Owl Strategy");
  await expect(reader.getByText("Sample data")).toBeVisible();
  await expect(reader.getByText("This page expires on")).toBeVisible();
  await expectAccessible(reader);
  const image = requireValue(await reader.locator('meta[property="og:image"]').getAttribute("content"));
  const picture = await reader.request.get(new URL(image).pathname);
  expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect(faults).toEqual([]);

  const revoke = page.getByRole("button", { name: "Revoke the link to Sprocket Owl Strategy" });
  await openPage(page, "/settings", revoke);
  await revoke.click();
  await page.getByRole("button", { name: "Revoke link", exact: true }).click();
  await expect(page.getByText("No open links.")).toBeVisible();
  expect((await reader.goto(path))?.status()).toBe(404);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("This link has ended");
  expect((await reader.request.get(new URL(image).pathname)).status()).toBe(404);
  await context.close();
});
