import type { BrowserContext, Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { systemClock, toUtcDay } from "@/core/time";
import type { Database } from "@/db/client";
import { type Demo, type Prepare, startDemo } from "../e2e/demo";
import { channelId, fillChannels, fillSnapshots, inOneGo, instantOf } from "./dataset";
import { clickThrough, noteInteractive, observePaint, type Painted, slowestKey, watchKeys } from "./in-page";
import { goal, median, type Report, round } from "./report";

const GOALS = { scriptsKb: 250, cls: 0.02, navigationMs: 150, typingMs: 100 };
/** The largest paint of a first load, and when the page answers: its content is there and React has taken it over. */
const FIRST_LOADS = {
  Overview: { paintedMs: 600, interactiveMs: 800 },
  Alerts: { paintedMs: 600, interactiveMs: 800 },
  Creator: { paintedMs: 1000, interactiveMs: 1000 },
};
type LoadedPage = keyof typeof FIRST_LOADS;
const LOADED = Object.keys(FIRST_LOADS) as LoadedPage[];
/** The links of the navigation, and the headings of their pages. */
const PAGES = {
  Discover: "Discover",
  Alerts: "Alerts",
  Usage: "Usage",
  Requests: "Requests",
  Settings: "Settings",
  Overview: "Rising now",
};
/** No later than this a page has painted all it will. */
const SETTLED_MS = 500;
const TRACKED = 1000;
const TYPED = "channel 77";
const KEY_PAUSE_MS = 80;

/** Measures what a reader feels of the console: a first load, going from page to page, and typing in a filter. */
export async function benchBrowser({ rounds, port }: Record<"rounds" | "port", number>): Promise<Report> {
  const { loads, navigation } = await withDemo(port, async (demo) => ({
    loads: await firstLoads(demo, rounds),
    navigation: await navigate(demo, rounds),
  }));
  const typingMs = await withDemo(port, (demo) => typeInFilter(demo, rounds), trackMany);
  const load = (name: LoadedPage, what: string, ms: number, atMost: number) =>
    goal(`${name}: ${what}, at most ${atMost} ms`, ms, { atMost }, " ms");
  const { scriptsKb } = loads.Overview;
  const shift = Math.max(...LOADED.map((name) => loads[name].cls));
  return {
    title: `The console in a browser; the overview's largest paint is ${loads.Overview.lcpElement.trim()}`,
    head: ["from a click to", "ms"],
    rows: navigation.map(({ page, ms }) => [page, round(ms)]),
    goals: [
      goal(
        `overview: compressed scripts, at most ${GOALS.scriptsKb} kB`,
        scriptsKb,
        { atMost: GOALS.scriptsKb },
        " kB",
      ),
      ...LOADED.flatMap((name) => [
        load(name, "largest paint", loads[name].lcpMs, FIRST_LOADS[name].paintedMs),
        load(name, "interactive", loads[name].interactiveMs, FIRST_LOADS[name].interactiveMs),
      ]),
      goal(`layout shift, at most ${GOALS.cls}`, shift, { atMost: GOALS.cls }),
      goal(
        `from a key to the next paint with ${TRACKED + 28} creators, at most ${GOALS.typingMs} ms`,
        typingMs,
        { atMost: GOALS.typingMs },
        " ms",
      ),
      ...navigation.map(({ page, ms }) =>
        goal(
          `from a click to ${page}, at most ${GOALS.navigationMs} ms`,
          ms,
          { atMost: GOALS.navigationMs },
          " ms",
        ),
      ),
    ],
  };
}

/** Runs against the production build on the month of sample data that newcomers see. */
async function withDemo<T>(port: number, work: (demo: Demo) => Promise<T>, prepare?: Prepare): Promise<T> {
  const demo = await startDemo(port, prepare);
  try {
    return await work(demo);
  } finally {
    await demo.stop();
  }
}

/** The demo's key tracks many creators more. */
async function trackMany(db: Database): Promise<void> {
  const day = toUtcDay(systemClock.now());
  await inOneGo(db, async (tx) => {
    await fillChannels(tx, TRACKED, day);
    await fillSnapshots(tx, TRACKED, 28, day);
    await tx.execute(sql`
      insert into tracked_creators (key_id, channel_id, tracked_since)
      select api_keys.id, ${channelId(sql`n`)}, ${instantOf(day, -28)}
      from api_keys, generate_series(1, ${TRACKED}::int) as n`);
  });
}

/** A wide screen with nothing in the browser's cache. */
async function openBrowser({ signedIn }: Demo): Promise<BrowserContext> {
  const context = await signedIn({ viewport: { width: 1280, height: 800 } });
  // What runs in the page was compiled for here, where functions are named by a helper.
  await context.addInitScript("globalThis.__name = (named) => named");
  return context;
}

interface FirstLoad extends Painted {
  /** Compressed scripts, in kB. */
  scriptsKb: number;
}

/** Medians of several first loads; of the layout shifts the worst. */
async function firstLoads(demo: Demo, rounds: number): Promise<Record<LoadedPage, FirstLoad>> {
  const creator = await creatorPath(demo);
  const paths = { Overview: "/overview", Alerts: "/alerts", Creator: creator };
  const seen: Record<LoadedPage, FirstLoad[]> = { Overview: [], Alerts: [], Creator: [] };
  for (let round = 0; round < rounds; round++)
    for (const name of LOADED) seen[name].push(await firstLoad(demo, paths[name]));
  const of = (loads: FirstLoad[]): FirstLoad => ({
    scriptsKb: median(loads.map(({ scriptsKb }) => scriptsKb)),
    lcpMs: median(loads.map(({ lcpMs }) => lcpMs)),
    lcpElement: loads[0]?.lcpElement ?? "",
    interactiveMs: median(loads.map(({ interactiveMs }) => interactiveMs)),
    cls: Math.max(...loads.map(({ cls }) => cls)),
  });
  return { Overview: of(seen.Overview), Alerts: of(seen.Alerts), Creator: of(seen.Creator) };
}

async function creatorPath(demo: Demo): Promise<string> {
  const context = await openBrowser(demo);
  const page = await context.newPage();
  await page.goto("/overview");
  const path = await page.locator("main a[href^='/creators/']").first().getAttribute("href");
  await context.close();
  if (!path) throw new Error("the overview shows no creator");
  return path;
}

/** A page, as a browser loads it that has never been there. */
async function firstLoad(demo: Demo, path: string): Promise<FirstLoad> {
  const context = await openBrowser(demo);
  await context.addInitScript(noteInteractive);
  const page = await context.newPage();
  const scripts = await countScripts(page);
  await page.goto(path, { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLED_MS);
  const painted = await page.evaluate(observePaint);
  await context.close();
  return { scriptsKb: scripts() / 1000, ...painted };
}

/** The slowest key of a word typed into the overview's filter, in ms from the key to the paint: the median of rounds. */
async function typeInFilter(demo: Demo, rounds: number): Promise<number> {
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
    slowest.push(await page.evaluate(slowestKey));
    await context.close();
  }
  return median(slowest);
}

/** Bytes of scripts as they came over the wire, until asked. */
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

/** Goes round the pages: once for their data, then with a watch. The time ends with the page's heading and content. */
async function navigate(demo: Demo, rounds: number): Promise<{ page: string; ms: number }[]> {
  const context = await openBrowser(demo);
  const page = await context.newPage();
  await page.goto("/overview", { waitUntil: "networkidle" });
  const seen = new Map<string, number[]>(Object.keys(PAGES).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [name, heading] of Object.entries(PAGES)) {
      const ms = await page.evaluate(clickThrough, { name, heading });
      await page.waitForLoadState("networkidle");
      if (round > 0) seen.get(name)?.push(ms);
    }
  await context.close();
  return [...seen].map(([name, times]) => ({ page: name, ms: median(times) }));
}
