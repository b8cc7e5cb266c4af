import type { Page } from "@playwright/test";
import { signIn, waitForHydration, watchFaults } from "../console";
import { anonymous, expect, requireValue, test } from "../fixtures";

const LINK_PAGES = ["/sign-in", "/unsubscribe?token=x", "/confirm-address?token=x"];
const OPEN_PAGES = `/ /docs /docs/quick-start /docs/endpoints /accuracy /privacy /terms`.split(" ").concat(LINK_PAGES);
const OWN_PAGES = "/overview /discover?niche=gaming /alerts /usage /settings".split(" ");

/** The content security policy by directive. */
function parsePolicy(headers: Headers | Record<string, string>): Map<string, string> {
  const text = requireValue(new Headers(headers).get("content-security-policy"));
  return new Map(text.split("; ").map((directive) => [directive.split(" ")[0] ?? "", directive]));
}

/** Every page of the console is opened and read to its end. */
async function visit(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path, { waitUntil: "networkidle" });
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeAttached();
  }
}

test.describe("pages", () => {
  // Most page specs check this too.
  for (const { title, open, own } of [
    { title: "break no rule of their own content policy", open: LINK_PAGES, own: ["/overview"] },
    { title: "break none, public or signed in @nightly", open: OPEN_PAGES, own: OWN_PAGES },
  ])
    test(title, async ({ page, api }) => {
      test.slow();
      const faults = watchFaults(page);
      const { body } = await api.post("/api/track", { channel_id: "@sprocketowl" });
      await visit(page, open);
      await signIn(page, api.key);
      await visit(page, [...own, `/creators/${requireValue(body.creator?.channel_id)}`]);
      // Dialogs add styles of their own.
      const untrack = page.getByRole("button", { name: "Untrack" });
      await waitForHydration(untrack);
      await untrack.click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.keyboard.press("Escape");
      expect(faults).toEqual([]);
    });

  test("use a new nonce each time, and run no script without it", async ({ page }) => {
    const nonces = new Set<string>();
    for (const path of ["/", "/docs", "/sign-in", "/there-is-no-such-page"]) {
      const answer = requireValue(await page.goto(path));
      const policy = parsePolicy(await answer.allHeaders());
      expect(policy.get("script-src")).toMatch(/^script-src 'self' 'nonce-[\w+/]{22}=='$/);
      expect(policy.get("frame-ancestors")).toBe("frame-ancestors 'none'");
      nonces.add(requireValue(policy.get("script-src")));
      await page.evaluate(() => {
        const script = document.createElement("div");
        script.innerHTML = `<img src="data:," onerror="document.title = 'taken over'">`;
        document.body.append(script);
      });
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'taken over'";
        document.body.append(script);
      });
      await expect(page).not.toHaveTitle("taken over");
    }
    expect(nonces.size).toBe(4);
  });

  test("cannot be framed, even by their own site", async ({ page }) => {
    await page.route("/framed", (route) =>
      route.fulfill({ contentType: "text/html", body: `<iframe src="/sign-in"></iframe>` }),
    );
    const refused = page.waitForEvent("requestfailed");
    await page.goto("/framed");
    expect((await refused).failure()?.errorText).toBe("net::ERR_BLOCKED_BY_RESPONSE");
  });
});

test("pages and API responses have security headers", async ({ api }) => {
  const fetchHeaders = async (path: string, key: string | null = null) => (await anonymous.get(path, { key })).headers;
  for (const path of [...OPEN_PAGES, "/there-is-no-such-page", "/overview", "/llms.txt", "/docs/limits.md"]) {
    const headers = await fetchHeaders(path);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("x-frame-options"), path).toBe("DENY");
    expect(headers.get("referrer-policy"), path).toBe("same-origin");
    expect(headers.get("permissions-policy"), path).toContain("camera=()");
    // Only over https.
    expect(headers.has("strict-transport-security"), path).toBe(false);
  }
  for (const path of ["/api/usage", "/api/health", "/api/openapi.json", "/api/unknown", "/api/track/x"])
    for (const key of [null, api.key]) {
      const headers = await fetchHeaders(path, key);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("content-security-policy"), path).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("referrer-policy"), path).toBe("no-referrer");
    }
  expect((await fetchHeaders("/icon.svg")).get("x-content-type-options")).toBe("nosniff");
});
