import { revokeKey } from "@/features/keys/service";
import { expectAccessible, openPage, runAt, signIn, watchFaults } from "../console";
import { createClientWithKey, expect, runKeysVerb, test } from "../fixtures";
import { getBaseUrl } from "../product";

const WRONG_KEY = "cg_000000000000000000000000000000000";

test.describe("sign-in", () => {
  test("leads to the overview, with the key neither in the URL nor in the cookie", {
    tag: ["@phone", "@phone-nightly"],
  }, async ({ page, context, api }) => {
    const faults = watchFaults(page);
    await page.goto("/overview");
    await expect(page).toHaveURL(/\/sign-in$/);
    await page.getByLabel("API key", { exact: true }).fill(`  ${api.key} `);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/overview$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rising now");
    const cookies = await context.cookies();
    const cookie = cookies.find(({ name }) => name === "session");
    expect(cookie).toMatchObject({ name: "session", httpOnly: true, sameSite: "Lax", path: "/" });
    expect(decodeURIComponent(cookie?.value ?? "")).not.toContain(api.key.slice(3, 12));
    // The overview remembers the list and the last visit.
    expect(cookies.filter(({ name }) => !["session", "overview"].includes(name))).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("leads to the requested page with its filters, and never to another site", async ({ page, api }) => {
    await page.goto("/alerts?severity=WATCH");
    await expect(page).toHaveURL(/\/sign-in\?to=%2Falerts%3Fseverity%3DWATCH$/);
    await page.getByLabel("API key", { exact: true }).fill(api.key);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/alerts\?severity=WATCH$/);
    await page.goto("/sign-in?to=//elsewhere.example/alerts");
    await expect(page).toHaveURL(/\/overview$/);
  });

  test("refuses a wrong key at the field, keeps the input, and allows a correction", async ({ page, api }) => {
    const field = page.getByLabel("API key", { exact: true });
    await page.goto("/sign-in");
    await field.fill(WRONG_KEY);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "This key" })).toContainText("is not valid");
    await expect(field).toHaveValue(WRONG_KEY);
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await field.fill(api.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/overview$/);
  });

  test("hides the key until it is revealed, works with password managers, and is accessible", {
    tag: "@phone",
  }, async ({ page }) => {
    const field = page.getByLabel("API key", { exact: true });
    await openPage(page, "/sign-in", field);
    await expectAccessible(page);
    await expect(field).toHaveAttribute("type", "password");
    await expect(field).toHaveAttribute("autocomplete", "current-password");
    await field.fill("cg_visible");
    await page.getByRole("button", { name: "Show or hide the key" }).click();
    await expect(field).toHaveAttribute("type", "text");
    await expect(field).toHaveValue("cg_visible");
  });
});

test.describe("session", () => {
  test("ends immediately when its key is revoked", async ({ page, api }) => {
    await signIn(page, api.key);
    // From the plain overview, the URL of the sign-in page would have no `to`.
    const filter = page.getByRole("button", { name: "Filter" });
    await openPage(page, "/overview?sort=name&order=asc", filter);
    await runAt(page, "creators.tracked", async () => {
      await runKeysVerb((ctx) => revokeKey(ctx, api.keyId));
      expect((await page.request.get("/api/trpc/usage.today")).status()).toBe(401);
    });
    await filter.click();
    await page.getByLabel("Level").selectOption("RISING");
    await expect(page).toHaveURL(/\/sign-in\?ended=&to=/);
    await expect(page.getByText("Your session has ended")).toBeVisible();
    await page.goto("/overview");
    await expect(page).toHaveURL(/\/sign-in$/);
  });

  test("ends by signing out, and a copy of its cookie cannot be replayed", {
    tag: ["@phone", "@phone-nightly"],
  }, async ({ page, context, api, isMobile }) => {
    await signIn(page, api.key);
    const copies = await context.cookies();
    const opener = page.getByRole("button", { name: isMobile ? "Menu" : "Sign out" });
    await openPage(page, "/overview", opener);
    await opener.click();
    if (isMobile) await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/sign-in$/);
    expect(await context.cookies()).toEqual([]);
    await context.addCookies(copies);
    expect((await page.request.get("/api/trpc/keys.mine")).status()).toBe(401);
    await page.goto("/overview");
    await expect(page).toHaveURL(/\/sign-in$/);
  });

  test("counts no requests by itself", async ({ page, api }) => {
    await signIn(page, api.key);
    await page.goto("/overview", { waitUntil: "networkidle" });
    expect((await api.get("/api/usage")).body.requests_today).toBe(1);
  });
});

test("many wrong keys from one address are delayed, and a valid key still signs in", {
  tag: "@nightly",
}, async ({ request, site }) => {
  test.slow();
  await site.start();
  const { key } = await site.newClient("free");
  const attempt = (presented: string, forwarded: string) =>
    request.post(`${getBaseUrl(site.port)}/api/trpc/sessions.signIn`, {
      headers: {
        "Sec-Fetch-Site": "same-origin",
        "X-Forwarded-For": forwarded,
        "X-Client-Address": forwarded,
      },
      data: { key: presented },
    });
  // X-Forwarded-For from clients is ignored.
  for (let tried = 1; tried <= 10; tried++) expect((await attempt("cg_wrong", `192.0.2.${tried}`)).status()).toBe(400);
  const refused = await attempt("cg_wrong", "192.0.2.99");
  expect(refused.status()).toBe(429);
  expect((await refused.json()).error.data.issues).toEqual([
    { field: "key", message: expect.stringMatching(/^was wrong too often\. Try again in \d+ min\.$/) },
  ]);
  expect((await attempt(key, "192.0.2.99")).status()).toBe(200);
});

test("changes requested by other sites are refused", async ({ request, pro }) => {
  await signIn({ request }, pro.key);
  const claims: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { Origin: "https://elsewhere.example" },
    {},
  ];
  for (const headers of claims) {
    const answer = await request.post("/api/trpc/addresses.clear", { headers, data: {} });
    expect(answer.status()).toBe(403);
  }
});

test("procedures show and change nothing of another key", async ({ request, api }) => {
  const other = await createClientWithKey("free");
  const tracked = await other.post("/api/track", { channel_id: "@sprocketowl" });
  const channel_id = tracked.body.creator?.channel_id;
  await other.post("/api/alerts/email", { email: "other@other.example" });
  await signIn({ request }, api.key);
  const ask = async (procedure: string, input: object) => {
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    const answer = await request.get(`/api/trpc/${procedure}?${query}`);
    return { status: answer.status(), body: await answer.json() };
  };
  expect((await ask("creators.history", { channel_id })).status).toBe(404);
  expect((await ask("creators.tracked", {})).body.result.data.creators).toEqual([]);
  expect((await ask("alerts.list", { channel_id })).body.result.data.alerts).toEqual([]);
  expect((await ask("addresses.get", {})).body.result.data).toMatchObject({ email: null });
  const untracked = await request.post("/api/trpc/creators.untrack", {
    headers: { "Sec-Fetch-Site": "same-origin" },
    data: { channel_id },
  });
  expect(untracked.status()).toBe(404);
  expect((await other.get("/api/track")).body.pagination?.total).toBe(1);
});
