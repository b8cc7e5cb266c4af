import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

/** Signs a browser in without the form, which has specs of its own. */
export async function signIn(page: Page, key: string): Promise<void> {
  const answer = await page.request.post("/api/trpc/sessions.signIn", {
    headers: { "Sec-Fetch-Site": "same-origin" },
    data: { key },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Waits until the page's scripts work on an element. What is typed before that can be lost. */
export async function hydrated(element: Locator): Promise<void> {
  const hasProps = () =>
    element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps$")));
  await expect.poll(hasProps).toBe(true);
}

/**
 * Whatever goes wrong in a page from now on: errors and warnings in its console, failed requests, answers of 400 and
 * above. A test that expects none compares it with [] at its end.
 */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`page: ${error.message}`));
  page.on("requestfailed", (request) => {
    // What a page that is left no longer waits for has not failed.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") faults.push(`failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
  return faults;
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Those of them that look at colours, which are all that the themes differ in. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * The page is accessible: it fits the width of the project's screen, and axe finds nothing, in the light and in the
 * dark theme.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoSidewaysScrolling(page);
  // Next sends a page's title after the page.
  await expect(page).toHaveTitle(/./);
  // Pages without frames of other sites need no page of axe's own for its results, which takes most of its time.
  const axe = () => new AxeBuilder({ page }).setLegacyMode(true);
  await setTheme(page, "dark");
  const dark = await axe().withRules(COLOUR_RULES).analyze();
  await setTheme(page, "light");
  const light = await axe().withTags(RULES).analyze();
  const found = [dark, light].flatMap(({ violations }, place) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${place === 0 ? "dark" : "light"} ${id}: ${target.join(" ")} ${failureSummary}`,
      ),
    ),
  );
  expect(found).toEqual([]);
}

/** Has the system ask for a theme; what is a page of the console has followed. */
async function setTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const other = colorScheme === "light" ? "dark" : "light";
  await expect(page.locator(`html[data-mantine-color-scheme=${other}]`)).toHaveCount(0);
}

/** The page fits the width of its screen, once it has settled on it. */
async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  };
  await expect.poll(() => page.evaluate(excess)).toBeLessThanOrEqual(0);
}
