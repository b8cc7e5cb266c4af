import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { endSessionAt, expectAccessible, openPage, signIn, waitForHydration, watchFaults } from "../console";
import { expect, getRequestsToday, test } from "../fixtures";

const LIST = ["Name,Channel", "Juniper,youtube.com/@JuniperFiveCrits", "@sprocketowl", "not a channel", "@x"].join(
  "\n",
);

const getBox = (page: Page) => page.getByRole("textbox", { name: "Niche or channels" });
const getPanel = (page: Page) => page.getByRole("region", { name: "Channels to track" });

test.describe("box for niches and channels", () => {
  test.beforeEach(async ({ page, api }) => {
    await signIn(page, api.key);
    await openPage(page, "/overview", getBox(page));
  });

  test("previews a list, takes a correction in its line, and tracks it with one request", {
    tag: "@phone",
  }, async ({ page, api }) => {
    const faults = watchFaults(page);
    await getBox(page).fill(LIST);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(getPanel(page)).toContainText("Juniper Fivecrits");
    await expect(getPanel(page).getByRole("status")).toHaveText("1 to correct · 2 to track · 1 skipped");
    await expect(getPanel(page).getByText("Skipped 1 line without a channel")).toBeVisible();
    await expect(getPanel(page)).toContainText("100 of 100 look-ups left today");
    await expect(getPanel(page).getByRole("textbox", { name: "Line 5" })).toHaveAccessibleDescription(/^Must be a/);
    await expectAccessible(page);
    await getPanel(page).getByRole("textbox", { name: "Line 5" }).fill("@unlistedraccoon");
    await page.keyboard.press("Enter");
    await expect(getPanel(page)).toContainText("subscribers hidden by the channel");
    await page.getByRole("button", { name: "Track 3 creators · 1 request" }).click();
    await expect(getPanel(page).getByRole("status")).toHaveText("Now tracking 3 more creators · 1 skipped");
    await expect(page.getByRole("table").getByText("Sprocket Owl Strategy")).toBeVisible();
    await expectAccessible(page);
    await getPanel(page).getByRole("button", { name: "Done" }).click();
    await expect(getBox(page)).toHaveValue("");
    // The request that asks is the second.
    expect(await getRequestsToday(api)).toBe(2);
    expect((await api.get("/api/track")).body.pagination?.total).toBe(3);
    expect(faults).toEqual([]);
  });

  test("shows what is wrong in a long list first, by filter, and tracks the rest", async ({ page }) => {
    const wrong = Array.from({ length: 501 }, (_, line) => `https://youtu.be/${line}`);
    await getBox(page).fill(["@sprocketowl", ...wrong].join("\n"));
    await expect(getPanel(page).getByRole("status")).toHaveText("501 to correct · 1 to look up");
    await expect(getPanel(page).getByRole("listitem").first()).toHaveText(/This is a video/);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("button", { name: "Track 1 creator · 1 request" })).toBeVisible();
    await getPanel(page).getByRole("button", { name: "1 to track" }).click();
    await expect(getPanel(page).getByRole("listitem")).toHaveText(/Sprocket Owl Strategy/);
  });

  test("reads each chosen file as a list of its own, in any format and encoding", async ({ page }) => {
    const url = (handle: string) => `https://www.youtube.com/@${handle}`;
    const outline = `<outline text="Owl" xmlUrl="${url("sprocketowl")}"/><outline text="Blog" xmlUrl="https://a.example/b"/>`;
    const windows1252 = Buffer.from(
      `K\u00fcnstler;Kanal;Notiz\nJ\u00f6rg;${url("juniperfivecrits")};sch\u00f6n\n`,
      "latin1",
    );
    await page.getByLabel(/Choose files/).setInputFiles([
      { name: "feeds.opml", mimeType: "text/x-opml", buffer: Buffer.from(`<opml><body>${outline}</body></opml>`) },
      { name: "kanal.csv", mimeType: "", buffer: windows1252 },
    ]);
    const feeds = page.getByRole("region", { name: "Channels of feeds.opml" });
    const table = page.getByRole("region", { name: "Channels of kanal.csv" });
    await expect(feeds.getByRole("status")).toHaveText("1 to track · 1 skipped");
    await expect(table).toContainText("kanal.csv · 1 entry · read as Windows-1252");
    await table.getByLabel("Save “Notiz” as notes").check();
    await table.getByRole("button", { name: "Track 1 creator" }).click();
    await expect(table.getByRole("status")).toHaveText("Now tracking 1 more creator");
    await page.getByRole("table").getByRole("link", { name: "Juniper Fivecrits" }).click();
    await page.getByRole("region", { name: "Note" }).scrollIntoViewIfNeeded();
    await expect(page.getByRole("textbox", { name: "Note" })).toHaveValue("schön");
  });

  test("asks before it tracks a guess, and keeps what is not tracked as a file", async ({ page, api }) => {
    await getBox(page).fill("youtube.com/c/SprocketOwl\n@juniperfivecrits\n@nobody.has.this.handle");
    await page.keyboard.press("Enter");
    await expect(getPanel(page).getByRole("status")).toHaveText("1 not found · 1 guess · 1 to track");
    await page.getByRole("button", { name: "Track 1 creator · 1 request" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the other 2" }).click();
    const csv = await readFile(await (await download).path(), "utf8");
    expect(csv).toContain("https://www.youtube.com/c/SprocketOwl,Guessed from");
    await expect.poll(async () => (await api.get("/api/track")).body.pagination?.total).toBe(1);
    await getPanel(page).getByRole("checkbox", { name: "Track" }).check();
    await page.getByRole("button", { name: "Track 1 creator · 1 request" }).click();
    await expect(getPanel(page).getByRole("status")).toHaveText("1 not found · Now tracking 2 more creators");
  });

  test("offers names and handles of comments as guesses, which one box selects", async ({ page, api }) => {
    await getBox(page).fill("JuniperFiveCrits\nSprocketOwl\n# @unlistedraccoon\nhttps://a.example/x");
    await page.keyboard.press("Enter");
    await expect(getPanel(page).getByRole("status")).toHaveText("3 guesses · 1 skipped");
    await expect(getPanel(page)).toContainText("Guessed from “JuniperFiveCrits”. Is it this channel?");
    await expect(page.getByRole("button", { name: /^Track/ })).toHaveCount(0);
    await getPanel(page).getByRole("checkbox", { name: "Select all 3 guesses" }).check();
    const track = page.getByRole("button", { name: "Track 3 creators · 1 request" });
    // One primary button: the next step.
    await expect(track).toHaveAttribute("data-variant", "filled");
    await expect(page.locator("main button[data-variant=filled]")).toHaveCount(1);
    await getPanel(page).getByRole("checkbox", { name: "Track" }).last().uncheck();
    await page.getByRole("button", { name: "Track 2 creators · 1 request" }).click();
    await expect(getPanel(page).getByRole("status")).toHaveText("1 guess · Now tracking 2 more creators · 1 skipped");
    expect((await api.get("/api/track")).body.pagination?.total).toBe(2);
  });

  test("reads 10,000 lines in a thread of its own, and takes keys meanwhile", async ({ page }) => {
    const text = Array.from({ length: 10_000 }, (_, line) => `Maker ${line}: youtube.com/@maker.${line}`).join("\n");
    const reader = page.waitForEvent("worker");
    // Playwright would type each line.
    await getBox(page).evaluate((box: HTMLTextAreaElement, value) => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(box, value);
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }, text);
    await reader;
    await expect(getPanel(page).getByRole("status")).toHaveText("10,000 to look up");
    await getBox(page).press("ControlOrMeta+End");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("@one.more");
    await expect(getPanel(page).getByRole("status")).toHaveText("10,001 to look up");
    await expect(getPanel(page).getByRole("listitem")).toHaveCount(51);
  });

  test("keeps a list while the service is down and across a sign-in", async ({ page, context, api }) => {
    await getBox(page).fill(LIST);
    await page.keyboard.press("Enter");
    const track = page.getByRole("button", { name: "Track 2 creators · 1 request" });
    await expect(track).toBeVisible();
    await context.setOffline(true);
    await track.click();
    await expect(getPanel(page).getByRole("alert")).toContainText("cannot be reached");
    await expect(getBox(page)).toHaveValue(LIST);
    await context.setOffline(false);
    await endSessionAt(page, "creators.trackMany");
    await track.click();
    await page.getByRole("textbox", { name: "API key" }).fill(api.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(getBox(page)).toHaveValue(LIST);
    expect(await getRequestsToday(api)).toBe(1);
  });

  test("opens from the command menu, which previews channels and searches niches", async ({ page, api }) => {
    const menu = page.getByLabel("Page, creator, @handle, niche or action");
    const choose = async (typed: string, action: string) => {
      await page.keyboard.press("ControlOrMeta+K");
      await menu.fill(typed);
      await page.getByRole("button", { name: action }).click();
    };
    await choose("@sprocketowl", "Track @sprocketowl");
    await expect(getPanel(page)).toContainText("Sprocket Owl Strategy");
    await page.reload();
    await expect(getPanel(page).getByRole("status")).toHaveText("1 to look up");
    await waitForHydration(getBox(page));
    await choose("cooking", "Search niche “cooking”");
    await expect(page).toHaveURL(/\/discover\?niche=cooking$/);
    await expect(page.getByRole("heading", { level: 2, name: "cooking", exact: true })).toBeVisible();
    expect(await getRequestsToday(api)).toBe(2);
  });
});
