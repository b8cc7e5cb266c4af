import { mkdirSync } from "node:fs";
import path from "node:path";
import { renderGrowthAlert } from "@emails/growth-alert";
import { type Browser, devices, type Page } from "@playwright/test";
import { GROWTH_ALERT } from "../src/test/mail-samples";
import { type Demo, startDemo } from "./demo";
import { writeHomePicture } from "./home-picture";
import { getBaseUrl } from "./product";

const FOLDER = path.join("test-results", "screenshots");
const PORT = Number(process.argv[2] ?? 18_910);
const SCREENS = {
  wide: { viewport: { width: 1280, height: 800 } },
  phone: { ...devices["Pixel 7"], viewport: { width: 360, height: 740 }, deviceScaleFactor: 1 },
};

interface Picture {
  name: string;
  path: string;
  /** Runs before the screenshot. */
  act?(page: Page): Promise<void>;
  /** Captures the viewport only, for dialogs and menus. */
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

const waitFor = (selector: string) => (page: Page) => page.locator(selector).first().waitFor({ state: "attached" });

/** @param creator channel id of a creator with an alert */
const listKeyPictures = (creator: string): readonly Picture[] => [
  { name: "overview", path: "/overview" },
  { name: "overview-preview", path: "/overview", act: previewChannels },
  { name: "discover", path: "/discover" },
  { name: "discover-found", path: "/discover", act: searchNiche },
  { name: "alerts", path: "/alerts" },
  { name: "alerts-none", path: "/alerts?severity=WATCH&page=9" },
  { name: "usage", path: "/usage" },
  { name: "requests", path: "/requests" },
  { name: "settings", path: "/settings" },
  { name: "creator", path: `/creators/${creator}`, act: waitFor("[role=application] path[data-look]") },
  {
    name: "creator-stop",
    path: `/creators/${creator}`,
    act: openUntrackDialog,
    inSight: true,
  },
  { name: "creator-not-tracked", path: "/creators/UC0000000000000000000000" },
  { name: "menu", path: "/overview", act: openMenu, inSight: true },
];

const getBox = (page: Page) => page.getByRole("textbox", { name: "Niche or channels" });

/** Previews channels in three forms, and a line that names none. */
async function previewChannels(page: Page): Promise<void> {
  await getBox(page).fill("@juniperfivecrits\nhttps://www.youtube.com/@pickleandplume\nhttps://example.com/@x");
  await page.keyboard.press("Enter");
  await page.getByText("@pickleandplume").last().waitFor();
}

async function searchNiche(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Niche or channels" }).fill("cooking");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: "cooking" }).waitFor();
}

async function openUntrackDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Untrack" }).click();
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
      const anonymous = await demo.browser.newContext({ baseURL: getBaseUrl(PORT), ...options, colorScheme });
      const answer = await mine.request.get("/api/alerts?limit=1", { headers: { "X-API-Key": demo.key } });
      const [alert] = (await answer.json()).alerts;
      const sets = [
        { page: await anonymous.newPage(), pictures: PUBLIC },
        { page: await mine.newPage(), pictures: listKeyPictures(alert.channel_id) },
      ];
      for (const { page, pictures } of sets)
        for (const picture of pictures)
          await take(page, picture, path.join(FOLDER, `${picture.name}-${screen}-${colorScheme}.png`));
      await Promise.all([mine.close(), anonymous.close()]);
    }
}

async function take(page: Page, picture: Picture, file: string): Promise<void> {
  await page.goto(picture.path, { waitUntil: "networkidle" });
  await picture.act?.(page);
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: file, fullPage: !picture.inSight, animations: "disabled" });
}

/** Stands for the picture of the video: an arch of fire. */
const THUMBNAIL = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 54">
  <defs><radialGradient id="fire" cy="0.9"><stop stop-color="#ffe08a"/><stop offset="0.5" stop-color="#ff7a2f"/>
  <stop offset="1" stop-color="#8c1d18"/></radialGradient></defs><rect width="96" height="54" fill="#2b1d1a"/>
  <path d="M26 54V30a22 22 0 0 1 44 0v24z" fill="url(#fire)" stroke="#5b4038" stroke-width="4"/></svg>`;

/** Takes the README's picture of an alert email. */
async function takeMail(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  await page.route("https://i.ytimg.com/**", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: THUMBNAIL }),
  );
  await page.setContent((await renderGrowthAlert(GROWTH_ALERT)).html, { waitUntil: "load" });
  await page.screenshot({ path: "docs/mail.png", fullPage: true });
  await page.close();
}

mkdirSync(FOLDER, { recursive: true });
const demo = await startDemo(PORT);
const writePicture = async () => writeHomePicture((await demo.signedIn()).request);
await writePicture()
  .then(() => takeMail(demo.browser))
  .then(() => takeAll(demo))
  .finally(demo.stop);
process.stdout.write(`The pictures are in ${FOLDER}\n`);
