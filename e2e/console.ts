import type { Locator, Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";
import { expect } from "./fixtures";

export { signIn } from "./product";

/** Runs work right before the page's next call of a procedure, so that no other call of the page meets its effect first. */
export async function runAt(page: Page, procedure: string, work: () => Promise<unknown>): Promise<void> {
  await page.route(
    (url) => url.pathname.includes(procedure),
    async (route) => {
      await work();
      await route.continue();
    },
    { times: 1 },
  );
}

/** Ends the session right before the page's next call of a procedure. */
export async function endSessionAt(page: Page, procedure: string): Promise<void> {
  await runAt(page, procedure, () => page.context().clearCookies());
}

/** Holds the page's calls of a procedure. @returns lets them through */
export async function holdCalls(page: Page, procedure: string): Promise<() => void> {
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(
    (url) => url.pathname.includes(procedure),
    async (route) => {
      await held;
      await route.continue();
    },
  );
  return letThrough;
}

/** Waits until React has hydrated an element and run its effects; input before that can be lost. */
export async function waitForHydration(element: Locator): Promise<void> {
  const hasProps = () => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps$")));
  await expect.poll(hasProps, { intervals: [20, 50, 100] }).toBe(true);
  // React runs effects, such as those that listen for shortcuts, in tasks before the page is idle.
  await element.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** Opens a page and waits until an element of it takes input. */
export async function openPage(page: Page, path: string, element: Locator): Promise<void> {
  await page.goto(path);
  await waitForHydration(element);
}

/** Collects console errors and warnings, failed requests and responses of 400 and above. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    // Playwright's own warning where specs intercept requests.
    if (message.text().startsWith("Service Worker registration blocked")) return;
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`page: ${error.message}`));
  page.on("requestfailed", (request) => {
    // Navigation aborts pending requests.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  return faults;
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Reports nothing of what passes, and reads no style sheets for experimental rules; this saves a third of the time. */
const ONLY_VIOLATIONS: RunOptions = { resultTypes: ["violations"], preload: false };
/** The themes differ only in colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Expects no axe violations in either theme and no horizontal scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoSidewaysScrolling(page);
  // Next streams the title after the page.
  await expect(page).toHaveTitle(/./);
  await page.evaluate(axe.source);
  await setTheme(page, "dark");
  const dark = await listViolations(page, { type: "rule", values: COLOUR_RULES });
  await setTheme(page, "light");
  const light = await listViolations(page, { type: "tag", values: RULES });
  expect({ dark, light }).toEqual({ dark: [], light: [] });
}

/** Runs axe's rules on a page that it is loaded in. */
async function listViolations(page: Page, runOnly: RunOptions["runOnly"]): Promise<string[]> {
  const run = (options: RunOptions) => (window as unknown as { axe: typeof axe }).axe.run(document, options);
  const { violations } = await page.evaluate(run, { ...ONLY_VIOLATIONS, runOnly });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
  );
}

/** Sets the system theme and waits until the page has its colours. */
async function setTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const other = colorScheme === "light" ? "dark" : "light";
  await expect(page.locator(`html[data-mantine-color-scheme=${other}]`)).toHaveCount(0);
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** Polls, because the layout may still change. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const measureExcess = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  };
  await expect.poll(() => page.evaluate(measureExcess)).toBeLessThanOrEqual(0);
}
