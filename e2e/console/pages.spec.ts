import type { Page } from "@playwright/test";
import postgres from "postgres";
import { expectAccessible, holdCalls, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { expect, type KeyClient, requireValue, test } from "../fixtures";
import { DATA_DIR, getDatabaseUrl } from "../product";

/** Adds alerts of every severity, with emails in several states, and requests on several days. */
async function fill(client: KeyClient): Promise<void> {
  const { body } = await client.post("/api/track", { channel_id: "@sprocketowl" });
  const channel = requireValue(body.creator?.channel_id);
  await client.post("/api/alerts/email", { email: "scout@example.com" });
  const sql = postgres(getDatabaseUrl(DATA_DIR), { max: 1 });
  const rows = [
    { ago: 0, before: 1000, after: 1100.5, severity: "WATCH", status: "pending", receipt: null },
    { ago: 1, before: 640, after: 763, severity: "RISING FAST", status: "sent", receipt: "delivered" },
    { ago: 8, before: 10_000, after: 13_000, severity: "SURGING", status: "sent", receipt: "bounced" },
    { ago: 29, before: 1_230_000, after: 2_000_000, severity: "EXPLOSIVE", status: "failed", receipt: null },
  ];
  for (const { ago, before, after, severity, status, receipt } of rows) {
    const [alert] = await sql`
      insert into alerts (key_id, channel_id, day, subscribers_before, subscribers_after, severity, message, label,
        reason, outcome_7d, outcome_7d_at, created_at)
      values (${client.keyId}, ${channel}, (now() at time zone 'UTC')::date - ${ago}::int, ${before},
        ${Math.ceil(after)}, ${severity}, 'Sprocket Owl grew', 'single_day', 'It was not growing in the week before this jump.',
        ${ago > 7 ? "held" : null}, ${ago > 7 ? new Date() : null}, now() - make_interval(days => ${ago}))
      returning id`;
    await sql`
      insert into deliveries (alert_id, destination, recipient, status, receipt, created_at, attempts)
      values (${alert?.id}, 'email', 'scout@example.com', ${status}, ${receipt}, now(), 1)`;
    if (ago > 0)
      await sql`insert into daily_usage (key_id, day, requests, last_request_at)
        values (${client.keyId}, (now() at time zone 'UTC')::date - ${ago}::int, ${(7 * ago) % 50 || 50}, now())`;
  }
  await sql.end();
}

const PAGES = [
  { path: "/alerts", ready: /4 alerts/ },
  { path: "/settings", ready: /3 test emails left today/ },
  { path: "/usage", ready: /most on/ },
];
const PUBLIC = [
  { path: "/", ready: /Get an API key/ },
  { path: "/privacy", ready: /What we keep about the holder of an API key/ },
  { path: "/terms", ready: /What you may do/ },
];
const LINKED = ["https://www.youtube.com/t/terms", "https://policies.google.com/privacy"];

/** Waits until all parts of a page have their data. */
const expectLoaded = (page: Page) => expect(page.locator("main .mantine-Skeleton-root")).toHaveCount(0);

test.describe("pages of a key in use", () => {
  for (const { path, ready } of PAGES)
    test(`${path} shows everything and is accessible`, {
      tag: path === "/alerts" ? "@phone" : ["@phone", "@phone-nightly"],
    }, async ({ page, api }) => {
      const faults = watchFaults(page);
      await fill(api);
      await signIn(page, api.key);
      await openPage(page, path, page.getByRole("main"));
      await expect(page.getByText(ready).first()).toBeVisible();
      await expectLoaded(page);
      await expect(page.getByRole("main")).not.toContainText(/undefined|NaN|null|Invalid Date/);
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });
});

test.describe("pages of a new key", () => {
  for (const { path, ready } of [
    { path: "/alerts", ready: "No alerts yet" },
    { path: "/settings", ready: "Never" },
    { path: "/usage", ready: "No requests in the last 30 days" },
  ])
    test(`${path} says what is missing`, { tag: ["@phone", "@phone-nightly"] }, async ({ page, api }) => {
      await signIn(page, api.key);
      await openPage(page, path, page.getByRole("main"));
      await expect(page.getByText(ready)).toBeVisible();
      await expectLoaded(page);
      await expectAccessible(page);
    });
});

test.describe("public pages", () => {
  for (const { path, ready } of PUBLIC)
    test(`${path} is complete, accessible and, if legal, links the platform's and Google's terms`, {
      tag: ["@phone", "@phone-nightly"],
    }, async ({ page }) => {
      const faults = watchFaults(page);
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(200);
      await waitForHydration(page.getByRole("main"));
      await expect(page.getByText(ready).first()).toBeVisible();
      for (const href of path === "/" ? [] : LINKED) await expect(page.locator(`main a[href="${href}"]`)).toBeVisible();
      await expectAccessible(page);
      expect(faults).toEqual([]);
    });
});

test.describe("alerts inbox", () => {
  const getRows = (page: Page) => page.getByRole("main").getByRole("listitem");
  const getRow = (page: Page, severity: string) => getRows(page).filter({ hasText: severity });
  const getChip = (page: Page, name: string) =>
    page.getByRole("search").getByRole("button", { name: new RegExp(`^${name} \\d`) });
  const open = (page: Page, severity: string) =>
    getRow(page, severity).getByRole("button", { name: severity }).first().click();

  test.beforeEach(async ({ page, api }) => {
    await fill(api);
    await signIn(page, api.key);
    await openPage(page, "/alerts", getChip(page, "All"));
    await expect(getRows(page)).toHaveCount(4);
  });

  test("shows each alert's reason, outlook, outcome and email @phone", async ({ page }) => {
    const faults = watchFaults(page);
    await open(page, "WATCH");
    await expect(page).toHaveURL(/\/alerts\?open=[\da-f-]{36}$/);
    await expect(getRow(page, "WATCH")).toContainText("so it may have been 10% or less");
    await expect(getRow(page, "WATCH")).toContainText("Waiting to be sent · scout@example.com");
    await expectAccessible(page);
    await open(page, "RISING FAST");
    await expect(getRow(page, "RISING FAST")).toContainText("Exact: the platform does not round");
    await expect(getRow(page, "RISING FAST")).toContainText("Delivered · scout@example.com");
    await open(page, "SURGING");
    await expect(getRow(page, "SURGING")).toContainText("above 10% in any case");
    await expect(getRow(page, "SURGING")).toContainText("Bounced");
    await expect(getRow(page, "SURGING")).toContainText("7 days later: held; graded");
    await open(page, "EXPLOSIVE");
    await expect(getRow(page, "EXPLOSIVE")).toContainText("Single day. It was not growing in the week before");
    await expect(getRow(page, "EXPLOSIVE")).toContainText("1,230,000 on");
    await expect(getRow(page, "EXPLOSIVE")).toContainText("Of your 2 graded alerts like it, 2 kept growing.");
    expect(faults).toEqual([]);
  });

  test("counts unread alerts in the tab and the menu, marks one by keyboard, and all with undo", async ({ page }) => {
    await expect(page).toHaveTitle(/^\(4\) Alerts/);
    for (const severity of ["WATCH", "RISING FAST", "SURGING"]) {
      await page.keyboard.press("j");
      await expect(getRow(page, severity).getByRole("button").first()).toBeFocused();
    }
    await page.keyboard.press("u");
    await expect(page).toHaveTitle(/^\(3\) Alerts/);
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await expect(getRow(page, "SURGING").getByRole("button").first()).toBeFocused();
    await page.keyboard.press("u");
    await expect(page).toHaveTitle(/^\(4\) Alerts/);
    await getChip(page, "Watch").click();
    await page.getByRole("button", { name: "Mark these read" }).click();
    await expect(page.getByText("Marked 1 alert as read.")).toBeVisible();
    await expect(page).toHaveTitle(/^\(3\) Alerts/);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page).toHaveTitle(/^\(4\) Alerts/);
    await page.goto("/settings");
    await expect(page).toHaveTitle(/^\(4\) Settings/);
    await expect(page.getByRole("link", { name: "Alerts 4 unread" })).toBeVisible();
  });

  test("mutes a creator's emails, shows it in the row and the settings, and undoes it", async ({ page }) => {
    await open(page, "WATCH");
    await getRow(page, "WATCH").getByRole("button", { name: "Mute" }).click();
    await expect(page.getByText("Alerts still appear here.")).toBeVisible();
    await expect(getRow(page, "WATCH").getByLabel("Muted").first()).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(getRow(page, "WATCH").getByLabel("Muted")).toHaveCount(0);
    await getRow(page, "WATCH").getByRole("button", { name: "Mute" }).click();
    await expect(getRow(page, "WATCH").getByRole("button", { name: "Unmute" })).toBeVisible();
    const unmute = page.getByRole("button", { name: /^Unmute/ });
    await openPage(page, "/settings", unmute);
    await unmute.click();
    await expect(page.getByText("None. Mute a creator")).toBeVisible();
  });

  test("filters by chips that count what they show, and keeps the filters in the URL", async ({ page }) => {
    await getChip(page, "Surging").click();
    await expect(getRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/\/alerts\?severity=SURGING$/);
    await expect(getChip(page, "Held")).toHaveText("Held 1");
    await page.reload();
    await expect(getRows(page)).toHaveCount(1);
    await waitForHydration(getChip(page, "Surging"));
    await expect(getChip(page, "Surging")).toHaveAttribute("aria-pressed", "true");
    await getChip(page, "Surging").click();
    await expect(getRows(page)).toHaveCount(4);
    await expect(page).toHaveURL(/\/alerts$/);
    await expect(getChip(page, "Held")).toHaveText("Held 2");
    await page.goBack();
    await expect(getRows(page)).toHaveCount(1);
    await page.getByLabel("Creator", { exact: true }).selectOption({ index: 1 });
    await getChip(page, "Rising fast").click();
    await expect(getRows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/severity=RISING\+FAST&creator=UC/);
    await getChip(page, "All").click();
    await expect(getRows(page)).toHaveCount(4);
    await page.goto("/alerts?outcome=held");
    await expect(getRows(page)).toHaveText([/SURGING/, /EXPLOSIVE/]);
  });

  test("dims the old alerts and marks none of them while those of a filter are on their way", async ({ page }) => {
    const letThrough = await holdCalls(page, "alerts.inbox");
    await getChip(page, "Surging").click();
    await expect(page.locator("[aria-busy=true]").filter({ hasText: "EXPLOSIVE" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Mark these read" })).toBeDisabled();
    letThrough();
    await expect(getRows(page)).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Mark these read" })).toBeEnabled();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  });

  test("says that the service does not answer, in the opened alert and in the strip, until it answers", async ({
    page,
  }) => {
    await page.route("**/api/trpc/**", (route) => route.abort());
    await open(page, "SURGING");
    await expect(getRow(page, "SURGING").getByRole("alert")).toContainText("The service cannot be reached");
    await expect(page.getByRole("banner").first()).toContainText("The service does not answer");
    await expect(page.getByRole("main").getByRole("status").first()).toContainText("changes fail");
    await page.unroute("**/api/trpc/**");
    await getRow(page, "SURGING").getByRole("button", { name: "Try again" }).click();
    await expect(getRow(page, "SURGING").getByRole("alert")).toHaveCount(0);
    await expect(page.getByRole("banner").first()).toContainText("Last run");
  });

  test("keeps a note that saves itself", async ({ page }) => {
    await open(page, "SURGING");
    const row = getRow(page, "SURGING");
    await row.getByRole("button", { name: "Add note" }).click();
    await expect(row.getByRole("textbox", { name: "Note" })).toBeFocused();
    await page.keyboard.type("Ask for the media kit");
    await expect(row.getByText(/^Saved/)).toBeVisible();
    await page.reload();
    await expect(row.getByRole("textbox", { name: "Note" })).toHaveValue("Ask for the media kit");
  });
});

test("the weekly digest is off until switched on by keyboard, and requires an address", async ({ page, api }) => {
  await signIn(page, api.key);
  const digest = page.getByRole("switch", { name: "Email me the weekly digest" });
  await openPage(page, "/settings", digest);
  await expect(digest).not.toBeChecked();
  await digest.focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("Weekly digest is on")).toBeVisible();
  await expect(page.getByText("Save an alert address to get the digest.")).toBeVisible();
  await page.reload();
  await expect(digest).toBeChecked();
  await waitForHydration(digest);
  await expectAccessible(page);
  await digest.click();
  await expect(page.getByText("Weekly digest is off")).toBeVisible();
});

test.describe("alert address", () => {
  test("is set, tested with at most three emails a day, and cleared, by keyboard alone", async ({ page, api }) => {
    await signIn(page, api.key);
    const field = page.getByLabel("Address");
    await openPage(page, "/settings", field);
    await field.focus();
    await page.keyboard.type("nowhere");
    await page.keyboard.press("Enter");
    await expect(page.getByText("The address must be an email address")).toBeVisible();
    await expect(field).toHaveValue("nowhere");
    await field.fill("scout@example.com");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert").filter({ hasText: "will be sent to scout@example.com" })).toBeVisible();
    const send = page.getByRole("button", { name: "Send a test email" });
    for (const left of ["2 test emails", "1 test email", "0 test emails"]) {
      await send.press("Enter");
      await expect(page.getByText(`${left} left today`)).toBeVisible();
      await expect(send).toBeEnabled();
    }
    await send.press("Enter");
    await expect(page.getByText("3 test emails were sent today")).toBeVisible();
    await page.getByRole("button", { name: "Turn off emails" }).press("Enter");
    await expect(field).toHaveValue("");
    await expect(send).toBeHidden();
  });
});

test.describe("phone menu", () => {
  test("leads to every page and is accessible", { tag: "@phone" }, async ({ page, api, isMobile }) => {
    test.skip(!isMobile, "a wide screen has its navigation in sight");
    const faults = watchFaults(page);
    await signIn(page, api.key);
    const opener = page.getByRole("button", { name: "Menu" });
    await openPage(page, "/overview", opener);
    await opener.tap();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await expect(menu.getByRole("link", { name: "Settings" })).toBeInViewport();
    await expectAccessible(page);
    for (const name of ["Discover", "Alerts", "Usage", "Requests", "Settings", "Overview"]) {
      await menu.getByRole("link", { name }).tap();
      await expect(menu).toBeHidden();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(name === "Overview" ? "Rising now" : name);
      await opener.tap();
    }
    expect(faults).toEqual([]);
  });
});

test.describe("command menu", () => {
  test("finds pages, creators and actions by typing", async ({ page, api }) => {
    const faults = watchFaults(page);
    await api.post("/api/track", { channel_id: "@sprocketowl" });
    await signIn(page, api.key);
    await openPage(page, "/overview", page.getByRole("main"));
    await page.keyboard.press("Control+k");
    const search = page.getByLabel("Page, creator, @handle, niche or action");
    await expect(search).toBeFocused();
    await expectAccessible(page);
    await search.fill("sett");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/settings$/);
    await page.keyboard.press("Control+k");
    // Results that arrive after typing are selected too.
    const creator = page.getByRole("button", { name: /Sprocket Owl/ });
    const answer = page.waitForResponse((response) => response.url().includes("nothing"));
    await search.fill("nothing");
    await answer;
    await search.fill("sprocket");
    await expect(creator).toHaveAttribute("data-selected");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/creators\/UC/);
    expect(faults).toEqual([]);
  });

  test("opens by a shortcut, listed by ? outside of fields", async ({ page, api }) => {
    await signIn(page, api.key);
    await openPage(page, "/settings", page.getByLabel("Address"));
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("Shift+?");
    const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(dialog).toContainText("Open the command menu");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByLabel("Address").focus();
    await page.keyboard.press("Shift+?");
    await expect(page.getByLabel("Address")).toHaveValue("?");
    await expect(dialog).toBeHidden();
  });
});
