import { expectAccessible, waitForHydration, watchFaults } from "../console";
import { expect, test } from "../fixtures";

const PAGES = ["/docs/quick-start", "/docs/endpoints", "/docs/limits", "/docs/errors", "/docs"];
/** Guides with the same components as others. */
const ALIKE = new Set(["/docs/limits", "/docs/errors"]);

test.describe("docs pages", () => {
  for (const path of PAGES)
    test(`${path} loads completely, requests no other site and is accessible`, {
      tag: ["@phone", "@phone-nightly", ...(ALIKE.has(path) ? ["@nightly"] : [])],
    }, async ({ page, baseURL }) => {
      const faults = watchFaults(page);
      page.on("request", (request) => {
        const isOwn = request.url().startsWith(`${baseURL}/`) || /^(data|blob):/.test(request.url());
        if (!isOwn) faults.push(`foreign: ${request.url()}`);
      });
      await page.goto(path, { waitUntil: "networkidle" });
      await expect(page.getByRole("heading", { level: 1 }).first()).toBeAttached();
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });

  test("a guide shows its position, links its headings and leads to the next", async ({ page }) => {
    await page.goto("/docs/limits");
    const nav = page.getByRole("navigation", { name: "Documents" });
    await expect(nav.locator("[aria-current=page]")).toHaveText("Quota and limits");
    await expect(page.locator("h2#what-counts a")).toHaveAttribute("href", "#what-counts");
    await page.getByRole("link", { name: "Next: Pagination" }).click();
    await expect(page).toHaveURL(/\/docs\/pagination$/);
    await expect(page.getByRole("link", { name: "This page as Markdown" })).toHaveAttribute(
      "href",
      "/docs/pagination.md",
    );
  });

  test("a chosen language applies to every sample, and copying copies what is shown", async ({ page }) => {
    await page.goto("/docs/quick-start");
    const first = page.locator("code", { hasText: "/api/discover" }).first();
    await expect(first).toContainText("curl");
    const python = page.getByRole("radio", { name: "Python" }).first();
    await waitForHydration(python);
    await python.check();
    await expect(first).toContainText("urlopen");
    await expect(page.locator("code", { hasText: "/api/alerts/email" }).first()).toContainText("urlopen");
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => {
        document.body.dataset.copied = text;
      };
    });
    await page.getByRole("button", { name: "Copy Python" }).first().click();
    await expect(page.locator("body")).toHaveAttribute("data-copied", /^import json[\s\S]*api\/discover/);
  });

  test("search in the guides works by keyboard", async ({ page }) => {
    await page.goto("/docs/limits");
    const field = page.getByRole("searchbox", { name: "Search the guides" });
    await waitForHydration(field);
    await field.fill("oldest_after 410");
    await expect(page.getByRole("status").filter({ hasText: "results" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("link", { name: /^After 30 days|^410/ }).first()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/docs\/(keep-a-copy#after-30-days|errors#410)$/);
  });

  test("the reference loads when its button is pressed, and is accessible", { tag: "@phone" }, async ({ page }) => {
    const faults = watchFaults(page);
    await page.goto("/docs");
    await expect(page.getByRole("table", { name: "Endpoints" })).toBeVisible();
    await expect(page.locator(".scalar-app")).toHaveCount(0);
    const open = page.getByRole("button", { name: "Open the reference" });
    await waitForHydration(open);
    await open.click();
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("the reference opens at a link, and sends a request with the reader's key", async ({ page, api }) => {
    await page.goto("/docs#tag/usage/GET/api/usage");
    await page.getByRole("button", { name: "Test Request (get /api/usage)", exact: true }).click();
    await page.locator("input.scalar-password-input").first().fill(api.key);
    const answered = page.waitForResponse((response) => response.url().endsWith("/api/usage"));
    await page.getByRole("button", { name: /^Send/ }).filter({ visible: true }).first().click();
    expect(await (await answered).json()).toMatchObject({ status: "ok", requests_today: 1, tier: "free" });
  });

  test("the table of endpoints links the section of each", async ({ request }) => {
    const [list, sections] = [await request.get("/docs"), await request.get("/docs/endpoints")];
    const ids = [...(await list.text()).matchAll(/<a[^>]* href="\/docs\/endpoints#([^"]+)"/g)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(9);
    const text = await sections.text();
    for (const id of ids) expect(text.split(` id="${id}"`), id).toHaveLength(2);
  });
});
