import type { Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { createClientWithKey, expect, type KeyClient, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

const OLDER = 60;

/** Fills the log: API requests of every kind, and many from the day before. */
async function fill(client: KeyClient): Promise<void> {
  await client.get("/api/discover?niche=gaming&limit=3", { headers: { "X-Request-Id": "trace-0001" } });
  await client.post("/api/track", { channel_id: "@sprocketowl" });
  await client.get("/api/alerts?limit=0");
  await client.get("/api/nothing");
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  await sql`
    insert into request_log (key_id, at, request_id, method, endpoint, path, query, status, milliseconds)
    select ${client.keyId}, now() - interval '1 day' - number * interval '1 second', 'req_old_' || number,
      case when number = 1 then 'HEAD' else 'GET' end, '/api/usage', '/api/usage', '', case when number = 2 then 503 else 200 end, 1234
    from generate_series(1, ${OLDER}) as number`;
  // The log of API requests is written in the background.
  const listLogged = () => sql`select from request_log where key_id = ${client.keyId}`;
  await expect.poll(async () => (await listLogged()).length).toBe(4 + OLDER);
  await sql.end();
}

const getRows = (page: Page) => page.getByRole("rowheader");
const getRow = (page: Page, text: string | RegExp) => page.getByRole("row").filter({ hasText: text });

test.describe("request log", () => {
  test.beforeEach(async ({ page, api }) => {
    await fill(api);
    await signIn(page, api.key);
    await openPage(page, "/requests", page.getByLabel("Status"));
    await expect(getRows(page)).toHaveCount(50);
  });

  test("shows the outcome of each request, links to the reason, and is accessible", {
    tag: ["@phone", "@phone-nightly"],
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    const found = getRow(page, "/api/discover?niche=gaming&limit=3");
    await expect(found).toContainText("200 OK");
    await expect(found).toContainText("trace-0001");
    await expect(found.locator("time")).toHaveAttribute("title", /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d:\d\d UTC$/);
    await expect(getRow(page, "/api/alerts?limit=0")).toContainText("400 Invalid request");
    await expect(getRow(page, "/api/nothing").getByRole("link", { name: "Why" })).toHaveAttribute(
      "href",
      "/docs/errors#404",
    );
    await expect(page.getByRole("row", { name: /^GET \/api\/usage 503 .*1,234 ms/ })).toHaveCount(1);
    await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null|Invalid Date/);
    await expectAccessible(page);
    // The console's own requests are neither counted nor listed.
    await page.reload();
    await expect(getRows(page)).toHaveCount(50);
    expect((await api.get("/api/usage")).body.requests_today).toBe(5);
    expect(faults).toEqual([]);
  });

  test("filters by choice, text and click, and keeps the filters in the URL", async ({ page }) => {
    await page.getByLabel("Status").selectOption("4xx");
    await expect(page).toHaveURL(/status=4xx/);
    await expect(getRows(page)).toHaveText(["GET /api/nothing", "GET /api/alerts?limit=0"]);
    await page.getByLabel("Path contains").fill("limit=0");
    await expect(getRows(page)).toHaveText(["GET /api/alerts?limit=0"]);
    await expect(page).toHaveURL(/\/requests\?status=4xx&path=limit%3D0$/);
    await page.reload();
    await expect(getRows(page)).toHaveText(["GET /api/alerts?limit=0"]);
    await waitForHydration(page.getByLabel("Status"));
    await page.getByLabel("Status").selectOption("");
    await page.getByLabel("Path contains").fill("nothing%");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page).toHaveURL(/\/requests$/);
    await expect(page.getByLabel("Path contains")).toHaveValue("");
    await page.getByRole("button", { name: "503 Unavailable" }).click();
    await expect(page).toHaveURL(/\?status=503$/);
    await expect(getRows(page)).toHaveCount(1);
    await page.goBack();
    await page.getByRole("button", { name: "POST", exact: true }).click();
    await expect(getRows(page)).toHaveText(["POST /api/track"]);
  });

  test("loads older requests and returns to the newest", async ({ page }) => {
    await page.getByRole("button", { name: "Older" }).click();
    await expect(getRows(page)).toHaveCount(4 + OLDER - 50);
    await expect(page.getByRole("button", { name: "Older" })).toBeDisabled();
    await page.reload();
    await expect(getRows(page)).toHaveCount(4 + OLDER - 50);
    await waitForHydration(page.getByRole("button", { name: "Newest" }));
    await page.getByRole("button", { name: "Newest" }).click();
    await expect(getRows(page).first()).toHaveText("GET /api/nothing");
    await expect(page).toHaveURL(/\/requests$/);
  });

  test("shows each request as curl without the key, and its id", async ({ page, context, baseURL }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Copy POST /api/track as curl" }).click();
    await expect(getRow(page, "/api/track")).toContainText("Copied");
    expect(await readClipboard()).toBe(
      [
        `curl '${baseURL}/api/track'`,
        `-H "X-API-Key: $API_KEY"`,
        `-H "Content-Type: application/json"`,
        `-d '{"channel_id":"<channel_id>"}'`,
      ].join(" \\\n  "),
    );
    await page.getByRole("button", { name: "Copy the request ID trace-0001" }).click();
    await expect.poll(readClipboard).toBe("trace-0001");
  });
});

test("a new key's request log says how to fill it, and shows nothing of another key", {
  tag: ["@phone", "@phone-nightly"],
}, async ({ page, api }) => {
  await fill(await createClientWithKey("free"));
  await signIn(page, api.key);
  await openPage(page, "/requests", page.getByRole("button", { name: "Refresh" }));
  await expect(page.getByText("No requests yet")).toBeVisible();
  await expect(page.getByLabel("With the API: command")).toContainText("/api/usage");
  await expectAccessible(page);
  await api.get("/api/usage");
  // It is written in the background.
  await expect(async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(getRows(page)).toHaveText(["GET /api/usage"], { timeout: 1000 });
  }).toPass();
});
