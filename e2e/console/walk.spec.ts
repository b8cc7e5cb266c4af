import type { Page } from "@playwright/test";
import postgres from "postgres";
import { openPage, waitForHydration } from "../console";
import { expect, requireValue, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

const HANDLE = "@deadpandromedary";
const MAX_STEPS = 200;

/** Presses Tab until the element has focus. */
async function walkTo(
  page: Page,
  role: "link" | "button" | "textbox",
  name: string | RegExp,
  by: "Tab" | "Shift+Tab" = "Tab",
) {
  const goal = page.getByRole(role, { name }).first();
  await waitForHydration(goal);
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await goal.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(by);
  }
  throw new Error(`${role} ${name} is not reached by Tab`);
}

test("a newcomer gets from the key to an alert email by keyboard alone", async ({ page, api }) => {
  test.slow();

  await test.step("signs in", async () => {
    await openPage(page, "/sign-in", page.getByLabel("API key", { exact: true }));
    await walkTo(page, "textbox", "API key");
    await page.keyboard.insertText(api.key);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Rising now");
  });

  await test.step("finds a creator and tracks it", async () => {
    await walkTo(page, "button", "Add creators");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("textbox", { name: "Niche or channels" })).toBeFocused();
    await page.keyboard.type("comedy");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Discover");
    await walkTo(page, "button", "Track Deadpan Dromedary");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Undo Deadpan Dromedary" })).toBeFocused();
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
  });

  await test.step("sees its chart", async () => {
    await simulateGrowth(api.keyId, HANDLE);
    // The name comes before the button.
    await walkTo(page, "link", "Deadpan Dromedary", "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("img", { name: /^Subscribers: from/ })).toBeVisible();
  });

  await test.step("reads an alert with its reason", async () => {
    await walkTo(page, "link", /^Alerts/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Alerts");
    await walkTo(page, "button", /Deadpan Dromedary/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main").getByRole("listitem")).toContainText(
      "Too early. Only 1 day of snapshots before this jump",
    );
  });

  await test.step("sets an address for alert emails", async () => {
    await walkTo(page, "link", "Settings");
    await page.keyboard.press("Enter");
    await walkTo(page, "textbox", "Address");
    await page.keyboard.type("scout@example.com");
    await page.keyboard.press("Enter");
    await expect(page.getByText("will be sent to scout@example.com")).toBeVisible();
    expect((await api.get("/api/alerts/email")).body.email).toBe("scout@example.com");
  });
});

/** Adds snapshots of yesterday and today, and an alert. */
async function simulateGrowth(keyId: string, handle: string): Promise<void> {
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  const [channel] = await sql`select id from channels where handle = ${handle}`;
  const id: string = requireValue(channel?.id);
  await sql`
    insert into snapshots (channel_id, day, read_at, source, subscribers, views, videos, score, score_version, score_parts)
    select channel_id, day - 1, read_at - interval '24 hours', 'daily', subscribers * 8 / 10, views, videos, score,
      score_version, score_parts
    from snapshots where channel_id = ${id} and day = (now() at time zone 'UTC')::date
    on conflict do nothing`;
  await sql`update snapshots set source = 'daily' where channel_id = ${id}`;
  await sql`update tracked_creators set tracked_since = tracked_since - interval '24 hours' where key_id = ${keyId}`;
  await sql`
    insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label, reason,
      created_at)
    values (${keyId}, ${id}, (now() at time zone 'UTC')::date, 2000, 2500, 'SURGING',
      'Deadpan Dromedary grew 25.0% in one day (2,000 → 2,500)', 'too_early',
      'Only 1 day of snapshots before this jump.', now())`;
  await sql.end();
}
