import type { BrowserContext, Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { systemClock, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { type Demo, startDemo } from "../e2e/demo";
import { SCRIPT_BUDGETS } from "../e2e/weight";
import { channelIdSql, daySql, insertChannels, insertSnapshots, insertUnchecked } from "./dataset";
import { getSlowestKeyMs, markInteractive, measurePaint, type Paint, watchKeys } from "./in-page";
import { checkGoal, type Goal, median, type Report, round } from "./report";

const MAX_SHIFT = 0.02;
const MAX_TYPING_MS = 100;
/** The largest paint of a first load, and when the page answers: its content is there and React has hydrated it. */
const MAX_MS = {
  Overview: { paint: 600, interactive: 800 },
  Alerts: { paint: 600, interactive: 800 },
  Creator: { paint: 1000, interactive: 1000 },
};
type PageName = keyof typeof MAX_MS;
/** No later than this a page has painted everything. */
const SETTLED_MS = 500;
const TRACKED = 1000;
const TYPED = "channel 77";
const KEY_PAUSE_MS = 80;
const TYPING = `from a key to the next paint with ${TRACKED} creators and more`;

interface FirstLoad extends Paint {
  name: PageName;
  /** Compressed scripts. */
  scriptsKb: number;
}

/** Measures what a reader feels of the console: first loads of pages, and typing in a filter. */
export async function benchBrowser({ rounds, port }: Record<"rounds" | "port", number>): Promise<Report> {
  const demo = await startDemo(port);
  const loads = await measureFirstLoads(demo, rounds).finally(demo.stop);
  const bigDemo = await startDemo(port, trackMany);
  const typingMs = await measureTyping(bigDemo, rounds).finally(bigDemo.stop);
  return {
    title: "The console in a browser: first loads, with nothing in the cache",
    head: ["page", "largest paint ms", "interactive ms", "layout shift", "scripts kB", "largest element"],
    rows: loads.map(({ name, paintMs, interactiveMs, shift, scriptsKb, element }) => {
      const measured = [paintMs, interactiveMs, shift, scriptsKb].map(round);
      return [name, ...measured, element];
    }),
    goals: [...loads.flatMap(checkGoals), checkGoal(TYPING, typingMs, { atMost: MAX_TYPING_MS }, " ms")],
  };
}

function checkGoals({ name, paintMs, interactiveMs, shift, scriptsKb }: FirstLoad): Goal[] {
  const max = MAX_MS[name];
  return [
    checkGoal(`${name}: largest paint`, paintMs, { atMost: max.paint }, " ms"),
    checkGoal(`${name}: interactive`, interactiveMs, { atMost: max.interactive }, " ms"),
    checkGoal(`${name}: layout shift`, shift, { atMost: MAX_SHIFT }),
    checkGoal(`${name}: compressed scripts`, scriptsKb, { atMost: SCRIPT_BUDGETS.console }, " kB"),
  ];
}

/** Lets the demo's key track many more creators. */
async function trackMany(db: Database): Promise<void> {
  const day = toUtcDay(systemClock.now());
  await insertUnchecked(db, async (tx) => {
    await insertChannels(tx, TRACKED, day);
    await insertSnapshots(tx, TRACKED, 28, day);
    await tx.execute(sql`
      insert into tracked_creators (key_id, channel_id, tracked_since)
      select api_keys.id, ${channelIdSql(sql`n`)}, ${daySql(day, -28)}
      from api_keys, generate_series(1, ${TRACKED}::int) as n`);
  });
}

/** Opens a wide screen with an empty cache. */
async function openBrowser({ signedIn }: Demo): Promise<BrowserContext> {
  const context = await signedIn({ viewport: { width: 1280, height: 800 } });
  // tsx compiles the functions that run in the page, and names them with a helper that only exists here.
  await context.addInitScript("globalThis.__name = (named) => named");
  return context;
}

/** Medians of several first loads; of the layout shifts the worst. */
async function measureFirstLoads(demo: Demo, rounds: number): Promise<FirstLoad[]> {
  const paths = { Overview: "/overview", Alerts: "/alerts", Creator: await findCreatorPath(demo) };
  const names = Object.keys(paths) as PageName[];
  const loads: FirstLoad[] = [];
  for (let round = 0; round < rounds; round++)
    for (const name of names) loads.push({ name, ...(await loadFirst(demo, paths[name])) });
  return names.map((name) => {
    const own = loads.filter((load) => load.name === name);
    return {
      name,
      paintMs: median(own.map(({ paintMs }) => paintMs)),
      interactiveMs: median(own.map(({ interactiveMs }) => interactiveMs)),
      shift: Math.max(...own.map(({ shift }) => shift)),
      scriptsKb: median(own.map(({ scriptsKb }) => scriptsKb)),
      element: own[0]?.element ?? "",
    };
  });
}

async function findCreatorPath(demo: Demo): Promise<string> {
  const context = await openBrowser(demo);
  const page = await context.newPage();
  await page.goto("/overview");
  const path = await page.locator("main a[href^='/creators/']").first().getAttribute("href");
  await context.close();
  if (!path) throw new Error("The overview shows no creator");
  return path;
}

/** Loads a page as a browser does that has never been there. */
async function loadFirst(demo: Demo, path: string): Promise<Omit<FirstLoad, "name">> {
  const context = await openBrowser(demo);
  await context.addInitScript(markInteractive);
  const page = await context.newPage();
  const countBytes = await countScripts(page);
  await page.goto(path, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLED_MS);
  const paint = await page.evaluate(measurePaint);
  await context.close();
  return { ...paint, scriptsKb: countBytes() / 1000 };
}

/** Counts the bytes of scripts on the wire. @returns a function that gets the count */
async function countScripts(page: Page): Promise<() => number> {
  const client = await page.context().newCDPSession(page);
  const scripts = new Set<string>();
  let bytes = 0;
  await client.send("Network.enable");
  client.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  return () => bytes;
}

/** Types a word into the overview's filter. @returns from the slowest key to its paint, the median of rounds */
async function measureTyping(demo: Demo, rounds: number): Promise<number> {
  const slowest: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const context = await openBrowser(demo);
    const page = await context.newPage();
    await page.goto("/overview", { waitUntil: "networkidle" });
    await page.evaluate(watchKeys);
    const filter = page.getByLabel("Filter by name or handle");
    await filter.click();
    await filter.pressSequentially(TYPED, { delay: KEY_PAUSE_MS });
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(SETTLED_MS);
    slowest.push(await page.evaluate(getSlowestKeyMs));
    await context.close();
  }
  return median(slowest);
}
