import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { openPage, signIn } from "../console";
import { expect, test } from "../fixtures";

const readFile = (name: string) => readFileSync(path.join("e2e/lists", name));

/** 562 lines of 268 channels. */
const REPEATS = Buffer.from(
  Array.from(
    { length: 562 },
    (_, line) => `https://www.youtube.com/channel/UCrpt${String(line % 268).padStart(19, "0")}`,
  ).join("\n"),
);

/** File, its bytes, what the panel counts, and the encoding that it was read in. */
const FILES: [string, Buffer, string, BufferEncoding?][] = [
  ["subscription_manager.opml", readFile("subscription_manager.opml"), "3 to look up"],
  ["newpipe_subscriptions.json", readFile("newpipe_subscriptions.json"), "3 to look up"],
  ["awesome_list.md", readFile("awesome_list.md"), "4 to look up · 3 skipped"],
  ["vanity_urls.txt", readFile("vanity_urls.txt"), "1 to look up · 3 repeated"],
  ["custom_url_other_handle.txt", readFile("custom_url_other_handle.txt"), "1 to look up"],
  ["excel_ansi.csv", readFile("excel_ansi.csv"), "2 to look up", "latin1"],
  ["sheet_notes.csv", readFile("sheet_notes.csv"), "3 to look up"],
  ["first_line_named_channel.txt", readFile("first_line_named_channel.txt"), "3 to look up"],
  ["takeout_with_closed.csv", readFile("takeout_with_closed.csv"), "5 to look up"],
  ["short_and_fullwidth_handles.txt", readFile("short_and_fullwidth_handles.txt"), "4 to look up"],
  ["562_urls_294_repeated.txt", REPEATS, "268 to look up · 294 repeated"],
];

async function openOverview(page: Page, key: string): Promise<void> {
  await signIn(page, key);
  await openPage(page, "/overview", page.getByRole("textbox", { name: "Niche or channels" }));
}

test.describe("lists as people have them", () => {
  test("count the same channels pasted as the file has", async ({ page, api }) => {
    await openOverview(page, api.key);
    const box = page.getByRole("textbox", { name: "Niche or channels" });
    for (const [name, bytes, counts, encoding] of FILES) {
      await box.fill(bytes.toString(encoding));
      const panel = page.getByRole("region", { name: "Channels to track" });
      await expect(panel.getByRole("status"), name).toHaveText(counts);
    }
  });

  test("are looked up when they are dropped, each in its own panel", async ({ page, api }) => {
    await openOverview(page, api.key);
    for (const [name, bytes, counts, encoding] of FILES) {
      await dropFile(page, name, bytes);
      const panel = page.getByRole("region", { name: `Channels of ${name}` });
      // The platform of the suite has none of these channels.
      await expect(panel.getByRole("status"), name).toHaveText(counts.replace("to look up", "not found"));
      await expect(panel.getByText("read as Windows-1252")).toHaveCount(encoding ? 1 : 0);
    }
    await expect(page.getByRole("region", { name: /^Channels of / })).toHaveCount(FILES.length);
  });

  test("that are empty, binary or without a channel say so", async ({ page, api }) => {
    await openOverview(page, api.key);
    await dropFile(page, "empty.csv", Buffer.from("\r\n"));
    await expect(page.getByText("empty.csv is empty")).toBeVisible();
    await dropFile(page, "sheet.xlsx", Buffer.from("PK\u0003\u0004\u0000"));
    await expect(page.getByText(/^sheet\.xlsx is a workbook or a zip archive/)).toBeVisible();
    await dropFile(page, "notes.txt", Buffer.from("Some words\nand more of them"));
    const panel = page.getByRole("region", { name: "Channels of notes.txt" });
    await expect(panel.getByRole("status")).toHaveText("No channel found in 2 lines");
    await panel.getByText("Skipped 2 lines without a channel").click();
    await expect(panel.getByText("and more of them")).toBeVisible();
  });
});

async function dropFile(page: Page, name: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([fileName = "", base64 = ""]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], fileName));
      return transfer;
    },
    [name, bytes.toString("base64")],
  );
  await page.getByRole("search").locator("form").dispatchEvent("drop", { dataTransfer });
}
