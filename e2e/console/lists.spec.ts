import type { Page } from "@playwright/test";
import { expectAccessible, holdCalls, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { expect, getRequestsToday, type KeyClient, requireValue, test } from "../fixtures";

const HANDLES = ["@sprocketowl", "@juniperfivecrits", "@unlistedraccoon"];
const OWL = "Sprocket Owl Strategy";

/** Opens the overview of a key that tracks three creators. @returns the first one's channel id */
async function open(page: Page, client: KeyClient): Promise<string> {
  await client.post("/api/track", { channel_ids: HANDLES });
  const { body } = await client.get("/api/track/@sprocketowl");
  await signIn(page, client.key);
  await openPage(page, "/overview", page.getByLabel("Filter by name or handle"));
  return requireValue(body.creator?.channel_id);
}

const getTab = (page: Page, name: string) =>
  page.getByRole("main").getByRole("navigation", { name: "Lists" }).getByRole("button", { name, exact: true });
const getNames = (page: Page) => page.getByRole("rowheader").getByRole("link");

async function select(page: Page, ...creators: string[]): Promise<void> {
  for (const name of creators) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  await expect(page.getByText(`${creators.length} selected`)).toBeVisible();
}

// Rows are selected on wide screens.
test("a list is created from selected creators, shown in the URL, renamed and deleted", async ({ page, api }) => {
  const faults = watchFaults(page);
  await open(page, api);
  await select(page, OWL, "Juniper Fivecrits");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("button", { name: "+ New list…" }).click();
  await page.getByLabel("Name", { exact: true }).fill(" Spring campaign ");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Added 2 creators to Spring campaign")).toBeVisible();
  await getTab(page, "Spring campaign 2").click();
  await expect(page).toHaveURL(/\?list=[\da-f-]{36}$/);
  await expect(getNames(page)).toHaveCount(2);
  await page.getByRole("button", { name: "Change the list" }).click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Autumn");
  await page.getByRole("button", { name: "Rename", exact: true }).click();
  await expect(getTab(page, "Autumn 2")).toHaveAttribute("aria-current", "true");
  await select(page, OWL);
  await page.getByRole("button", { name: "Remove from list" }).click();
  await expect(getTab(page, "Autumn 1")).toBeVisible();
  await expect(getNames(page)).toHaveText(["Juniper Fivecrits"]);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Change the list" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Delete" })).toContainText("Delete the list Autumn?");
  await expect(page.getByRole("dialog", { name: "Delete" })).toContainText("Its creator stays tracked.");
  await page.getByRole("button", { name: "Delete list" }).click();
  await expect(getNames(page)).toHaveCount(3);
  await expect(page).toHaveURL(/\/overview$/);
  expect(faults).toEqual([]);
});

test("bulk actions are off while the rows of another list are on their way", async ({ page, api }) => {
  await open(page, api);
  await getTab(page, "+ New list").click();
  await page.getByLabel("Name", { exact: true }).fill("Short");
  await page.keyboard.press("Enter");
  await select(page, OWL);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("button", { name: "Short", exact: true }).click();
  await expect(getTab(page, "Short 1")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  const bar = page.getByRole("region", { name: "Selected creators" });
  await expect(bar).toContainText("3 selected");
  const letThrough = await holdCalls(page, "creators.tracked");
  await getTab(page, "Short 1").click();
  await expect(bar.getByRole("button", { name: "Remove from list" })).toBeDisabled();
  await expect(page.locator("[aria-busy=true]").filter({ hasText: "Juniper Fivecrits" })).toBeVisible();
  letThrough();
  await expect(bar).toContainText("1 selected");
  await expect(bar.getByRole("button", { name: "Remove from list" })).toBeEnabled();
  await expect(getNames(page)).toHaveText([OWL]);
});

test("several creators are untracked at once, and undo restores them with their lists for 1 request", async ({
  page,
  api,
}) => {
  const faults = watchFaults(page);
  await open(page, api);
  await getTab(page, "+ New list").click();
  await page.getByLabel("Name", { exact: true }).fill("Kept");
  await page.keyboard.press("Enter");
  await expect(getTab(page, "Kept 0")).toBeVisible();
  await page.getByRole("checkbox", { name: "Select all rows" }).check();
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("button", { name: "Kept", exact: true }).click();
  await expect(getTab(page, "Kept 3")).toBeVisible();
  await select(page, OWL, "Juniper Fivecrits");
  await page.getByRole("button", { name: "Untrack" }).click();
  await expect(page.getByText("Untrack 2 creators?")).toBeVisible();
  await expect(page.getByRole("button", { name: "Keep tracking" })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Untrack" }).click();
  await expect(getNames(page)).toHaveText(["The Unlisted Raccoon"]);
  await expect(getTab(page, "Kept 1")).toBeVisible();
  const before = await getRequestsToday(api);
  await expect(page.getByRole("button", { name: "Undo · 1 request" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Tracking 2 creators again.")).toBeVisible();
  await expect(getNames(page)).toHaveCount(3);
  await expect(getTab(page, "Kept 3")).toBeVisible();
  expect(await getRequestsToday(api)).toBe(before + 2);
  expect(faults).toEqual([]);
});

test("the filtered table is saved as CSV and as a view that restores the filter", async ({ page, api }) => {
  const faults = watchFaults(page);
  await open(page, api);
  await page.getByLabel("Filter by name or handle").fill("owl");
  await expect(getNames(page)).toHaveText([OWL]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV of all these" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tracked-creators-\d{4}-\d\d-\d\d\.csv$/);
  const stream = await file.createReadStream();
  let text = "";
  for await (const part of stream) text += part;
  const [head = "", ...rows] = text.trim().split("\r\n");
  expect(head).toMatch(/^\ufeff?channel_id,name,handle,url,country,/);
  expect(rows).toEqual([expect.stringContaining(OWL)]);
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByLabel("Name of the current view").fill("Owls");
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: "Owls", exact: true })).toBeVisible();
  await expectAccessible(page);
  await openPage(page, "/overview", page.getByLabel("Filter by name or handle"));
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("button", { name: "Owls", exact: true }).click();
  await expect(getNames(page)).toHaveText([OWL]);
  await expect(page.getByLabel("Filter by name or handle")).toHaveValue("owl");
  await page.getByRole("button", { name: "Saved views" }).click();
  await page.getByRole("button", { name: "Delete the view Owls" }).click();
  await expect(page.getByText("A view keeps the list, filters and order")).toBeVisible();
  expect(faults).toEqual([]);
});

test("the last list is shown again, also from the menu, and All forgets it", async ({ page, api }) => {
  await open(page, api);
  await select(page, OWL);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("button", { name: "+ New list…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Kept");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Menu" }).getByRole("link", { name: "Kept 1 creator" }).click();
  await expect(getNames(page)).toHaveText([OWL]);
  await page.goto("/overview");
  await expect(page).toHaveURL(/\?list=[\da-f-]{36}$/);
  await expect(getNames(page)).toHaveText([OWL]);
  await waitForHydration(getTab(page, "All 3"));
  await getTab(page, "All 3").click();
  await expect(getNames(page)).toHaveCount(3);
  await page.goto("/overview");
  await expect(page).toHaveURL(/\/overview$/);
  await expect(getNames(page)).toHaveCount(3);
});

test("a list is shared by one link without a key, until the link is revoked", async ({ page, api, browser }) => {
  await open(page, api);
  await select(page, OWL, "Juniper Fivecrits");
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("button", { name: "+ New list…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("For the client");
  await page.keyboard.press("Enter");
  await getTab(page, "For the client 2").click();
  await page.getByRole("button", { name: "Change the list" }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Make link" }).click();
  const link = page.getByLabel("Link", { exact: true });
  await expect(link).toHaveValue(/\/shared\/[\w-]{43}$/);
  const path = new URL(await link.inputValue()).pathname;

  const context = await browser.newContext({ viewport: page.viewportSize() });
  const reader = await context.newPage();
  const faults = watchFaults(reader);
  const answer = requireValue(await reader.goto(path));
  expect(answer.headers()).toMatchObject({ "x-robots-tag": expect.stringContaining("noindex") });
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("For the client");
  await expect(getNames(reader)).toHaveCount(2);
  await expect(reader.getByText("This page expires on")).toBeVisible();
  await expect(reader.getByRole("checkbox")).toHaveCount(0);
  await expectAccessible(reader);
  const image = requireValue(await reader.locator('meta[property="og:image"]').getAttribute("content"));
  const picture = await reader.request.get(new URL(image).pathname);
  expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, "image/png"]);
  expect(faults).toEqual([]);

  const revoke = page.getByRole("button", { name: "Revoke the link to For the client" });
  await openPage(page, "/settings", revoke);
  await revoke.click();
  await page.getByRole("button", { name: "Revoke link", exact: true }).click();
  await expect(page.getByText("No open links.")).toBeVisible();
  expect((await reader.goto(path))?.status()).toBe(404);
  await context.close();
});

test("a creator's page keeps a note and shows its lists", { tag: "@phone" }, async ({ page, api }) => {
  const owl = await open(page, api);
  await page.goto(`/creators/${owl}`);
  const note = page.getByRole("textbox", { name: "Note" });
  const section = page.getByRole("region", { name: "Note" });
  await section.scrollIntoViewIfNeeded();
  await waitForHydration(note);
  await note.fill("Ask for the media kit\nnext week");
  await expect(page.getByText(/^Saved /)).toBeVisible();
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByLabel("New list").fill("Shortlist");
  await page.getByRole("button", { name: "Create and add" }).click();
  await expect(page.getByRole("checkbox", { name: "Shortlist" })).toBeChecked();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByText("List: Shortlist")).toBeVisible();
  await page.reload();
  await section.scrollIntoViewIfNeeded();
  await expect(note).toHaveValue("Ask for the media kit\nnext week");
  await waitForHydration(note);
  await note.fill("");
  await expect(page.getByText("Saves itself.")).toBeVisible();
  await page.reload();
  await section.scrollIntoViewIfNeeded();
  await expect(note).toHaveValue("");
});
