import { mkdirSync } from "node:fs";
import path from "node:path";
import { devices, type Page } from "@playwright/test";
import { type Demo, startDemo } from "./demo";
import { baseUrl } from "./product";

const FOLDER = path.join("test-results", "screenshots");
const PORT = Number(process.argv[2] ?? 18_910);
const SCREENS = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { ...devices["Pixel 7"], viewport: { width: 360, height: 740 }, deviceScaleFactor: 1 },
};

interface Picture {
  name: string;
  path: string;
  /** What is done on the page before it is taken. */
  act?(page: Page): Promise<void>;
  /** Only what is in sight, for what lies above a page. */
  inSight?: boolean;
}

const PUBLIC: readonly Picture[] = [
  { name: "home", path: "/" },
  { name: "accuracy", path: "/accuracy" },
  { name: "privacy", path: "/privacy" },
  { name: "terms", path: "/terms" },
  { name: "guide", path: "/docs/quick-start" },
  { name: "reference", path: "/docs" },
  { name: "not-found", path: "/nothing-here" },
  { name: "unsubscribe", path: "/unsubscribe" },
  { name: "confirm-address", path: "/confirm-address" },
  { name: "sign-in", path: "/sign-in" },
];

const shown = (selector: string) => (page: Page) =>
  page.locator(selector).first().waitFor({ state: "attached" });

/** @param creator channel id of one that has made an alert */
const ofKey = (creator: string): readonly Picture[] => [
  { name: "overview", path: "/overview" },
  { name: "overview-preview", path: "/overview", act: preview },
  { name: "discover", path: "/discover" },
  { name: "discover-found", path: "/discover", act: discover },
  { name: "alerts", path: "/alerts" },
  { name: "alerts-none", path: "/alerts?severity=WATCH&page=9" },
  { name: "usage", path: "/usage" },
  { name: "requests", path: "/requests" },
  { name: "settings", path: "/settings" },
  { name: "creator", path: `/creators/${creator}`, act: shown("[role=application] path[data-look]") },
  {
    name: "creator-stop",
    path: `/creators/${creator}`,
    act: stopTracking,
    inSight: true,
  },
  { name: "creator-not-tracked", path: "/creators/UC0000000000000000000000" },
  { name: "menu", path: "/overview", act: openMenu, inSight: true },
];

const box = (page: Page) => page.getByRole("textbox", { name: "Niche or channels" });

/** Previews channels in three forms, and a line that names none. */
async function preview(page: Page): Promise<void> {
  await box(page).fill("@juniperfivecrits\nhttps://www.youtube.com/@pickleandplume\nhttps://example.com/@x");
  await page.keyboard.press("Enter");
  await page.getByText("@pickleandplume").last().waitFor();
}

async function discover(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Niche or channels" }).fill("cooking");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: "cooking" }).waitFor();
}

async function stopTracking(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop tracking" }).click();
  await page.getByRole("dialog").waitFor();
}

async function openMenu(page: Page): Promise<void> {
  const menu = page.getByRole("button", { name: "Menu" });
  if (await menu.isVisible()) await menu.click();
  else await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
}

/** Takes a picture of every page, in both themes, wide and on a phone. */
async function takeAll(demo: Demo): Promise<void> {
  for (const [screen, options] of Object.entries(SCREENS))
    for (const colorScheme of ["light", "dark"] as const) {
      const mine = await demo.signedIn({ ...options, colorScheme });
      const stranger = await demo.browser.newContext({ baseURL: baseUrl(PORT), ...options, colorScheme });
      const answer = await mine.request.get("/api/alerts?limit=1", { headers: { "X-API-Key": demo.key } });
      const [alert] = (await answer.json()).alerts;
      const sets = [
        { page: await stranger.newPage(), pictures: PUBLIC },
        { page: await mine.newPage(), pictures: ofKey(alert.channel_id) },
      ];
      for (const { page, pictures } of sets)
        for (const picture of pictures)
          await take(page, picture, path.join(FOLDER, `${picture.name}-${screen}-${colorScheme}.png`));
      await Promise.all([mine.close(), stranger.close()]);
    }
}

async function take(page: Page, picture: Picture, file: string): Promise<void> {
  await page.goto(picture.path, { waitUntil: "networkidle" });
  await picture.act?.(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: file, fullPage: !picture.inSight, animations: "disabled" });
}

mkdirSync(FOLDER, { recursive: true });
const demo = await startDemo(PORT);
await takeAll(demo).finally(demo.stop);
process.stdout.write(`The pictures are in ${FOLDER}\n`);
