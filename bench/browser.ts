import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "@playwright/test";
import { table } from "@/cli/table";
import { type Demo, startDemo } from "../e2e/demo";

/** What a reader is promised; see `printFigures`. */
const GOALS = { scriptsKb: 250, lcpMs: 1500, cls: 0.02, navigationMs: 150 };
const LOADS = 7;
const PAGES = ["Discover", "Alerts", "Usage", "Requests", "Settings", "Overview"];
/** No later than this a page has painted all it will. */
const SETTLED_MS = 500;

/** How the console feels in a browser; each figure is the median of several loads. */
export interface ConsoleFigures {
  /** Compressed scripts that a first load of the overview fetches, in kB. */
  scriptsKb: number;
  /** Largest contentful paint of that load, in ms, and what was painted. */
  lcpMs: number;
  lcpElement: string;
  /** Cumulative layout shift of that load, none of them smaller than the worst one seen. */
  cls: number;
  /** From a click in the navigation to the page's own heading and content, its data known already, in ms. */
  navigation: { page: string; ms: number }[];
}

/**
 * Measures the production build, on the month of sample data that newcomers see, in a real browser.
 * @param port a free one
 */
export async function measureConsole(port: number, loads = LOADS): Promise<ConsoleFigures> {
  const demo = await startDemo(port);
  try {
    const first: FirstLoad[] = [];
    for (let load = 0; load < loads; load++) first.push(await firstLoad(demo));
    return {
      scriptsKb: median(first.map(({ scriptsKb }) => scriptsKb)),
      lcpMs: median(first.map(({ lcpMs }) => lcpMs)),
      lcpElement: first[0]?.lcpElement ?? "",
      cls: Math.max(...first.map(({ cls }) => cls)),
      navigation: await navigate(demo, loads),
    };
  } finally {
    await demo.stop();
  }
}

/** A wide screen with nothing in the browser's cache. */
async function openBrowser({ signedIn }: Demo): Promise<BrowserContext> {
  const context = await signedIn({ viewport: { width: 1280, height: 800 } });
  // What runs in the page was compiled for here, where functions are named by a helper.
  await context.addInitScript("globalThis.__name = (named) => named");
  return context;
}

interface FirstLoad {
  scriptsKb: number;
  lcpMs: number;
  lcpElement: string;
  cls: number;
}

/** The overview, as a browser loads it that has never been there. */
async function firstLoad(demo: Demo): Promise<FirstLoad> {
  const context = await openBrowser(demo);
  const page = await context.newPage();
  const scripts = await countScripts(page);
  await page.goto("/overview", { waitUntil: "networkidle" });
  await page.waitForTimeout(SETTLED_MS);
  const painted = await page.evaluate(observePaint);
  await context.close();
  return { scriptsKb: scripts() / 1000, ...painted };
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

/** Runs in the browser: what it has noted of the load. */
async function observePaint(): Promise<Omit<FirstLoad, "scriptsKb">> {
  interface Painted extends PerformanceEntry {
    element: Element | null;
  }
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
  }
  const noted = <Entry extends PerformanceEntry>(type: string) =>
    new Promise<Entry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries() as Entry[])).observe({
        type,
        buffered: true,
      });
      // Where nothing was noted nothing comes.
      setTimeout(() => resolve([]), 200);
    });
  const largest = (await noted<Painted>("largest-contentful-paint")).at(-1);
  const shifts = (await noted<Shift>("layout-shift")).filter(({ hadRecentInput }) => !hadRecentInput);
  const element = largest?.element;
  return {
    lcpMs: largest?.startTime ?? Number.NaN,
    lcpElement: element ? `${element.tagName.toLowerCase()}: ${element.textContent?.slice(0, 60)}` : "",
    cls: shifts.reduce((sum, { value }) => sum + value, 0),
  };
}

/** Goes round the pages: once for their data, then with a watch. */
async function navigate(demo: Demo, rounds: number): Promise<ConsoleFigures["navigation"]> {
  const context = await openBrowser(demo);
  const page = await context.newPage();
  await page.goto("/overview", { waitUntil: "networkidle" });
  const seen = new Map<string, number[]>(PAGES.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const name of PAGES) {
      const ms = await page.evaluate(clickThrough, name);
      await page.waitForLoadState("networkidle");
      if (round > 0) seen.get(name)?.push(ms);
    }
  await context.close();
  return [...seen].map(([name, times]) => ({ page: name, ms: median(times) }));
}

/** Runs in the browser: from the click on a page's link to the frame that has its heading and none of its skeletons. */
function clickThrough(name: string): Promise<number> {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a")];
  const link = links.find(({ textContent }) => textContent?.startsWith(name));
  if (!link) throw new Error(`there is no link to ${name}`);
  const isThere = () =>
    document.querySelector("main h1")?.textContent === name &&
    !document.querySelector("main [aria-busy=true]");
  const begun = performance.now();
  link.click();
  return new Promise((resolve) => {
    const look = () => (isThere() ? resolve(performance.now() - begun) : requestAnimationFrame(look));
    requestAnimationFrame(look);
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function printFigures({ scriptsKb, lcpMs, lcpElement, cls, navigation }: ConsoleFigures): void {
  const row = (what: string, seen: number, most: number, unit: string) => [
    what,
    `${seen < 10 ? seen.toFixed(3) : Math.round(seen)}${unit}`,
    `under ${most}${unit}`,
    seen < most ? "met" : "NOT MET",
  ];
  const rows = [
    row("Overview, first load: compressed scripts", scriptsKb, GOALS.scriptsKb, " kB"),
    row(`Overview, first load: largest paint (${lcpElement.trim()})`, lcpMs, GOALS.lcpMs, " ms"),
    row("Overview, first load: layout shift", cls, GOALS.cls, ""),
    ...navigation.map(({ page, ms }) => row(`From a click to ${page}`, ms, GOALS.navigationMs, " ms")),
  ];
  process.stdout.write(`${table(["figure", "seen", "goal", ""], rows)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isBuilt = existsSync(".next/BUILD_ID");
  if (!isBuilt && spawnSync("npx", ["next", "build"], { stdio: "inherit" }).status !== 0) process.exit(1);
  printFigures(await measureConsole(Number(process.argv[2] ?? 18_900)));
}
