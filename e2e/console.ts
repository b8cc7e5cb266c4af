import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures";

export { signIn } from "./product";

/** Ends the session right before the page's next call of a procedure, and not before. */
export async function endSessionAt(page: Page, procedure: string): Promise<void> {
  await page.route(
    (url) => url.pathname.includes(procedure),
    async (route) => {
      await page.context().clearCookies();
      await route.continue();
    },
    { times: 1 },
  );
}

/** Waits until React has hydrated an element; input before that can be lost. */
export async function waitForHydration(element: Locator): Promise<void> {
  const hasProps = () => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith("__reactProps$")));
  await expect.poll(hasProps).toBe(true);
}

/** Collects console errors and warnings, failed requests and responses of 400 and above. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
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
const ONLY_VIOLATIONS: Parameters<AxeBuilder["options"]>[0] = { resultTypes: ["violations"], preload: false };
/** The themes differ only in colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Expects no axe violations in either theme and no horizontal scrolling. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoSidewaysScrolling(page);
  // Next streams the title after the page.
  await expect(page).toHaveTitle(/./);
  // Legacy mode saves axe's extra page, which only cross-origin frames need.
  const createAxe = () => new AxeBuilder({ page }).options(ONLY_VIOLATIONS).setLegacyMode(true);
  await setTheme(page, "dark");
  const dark = await createAxe().withRules(COLOUR_RULES).analyze();
  await setTheme(page, "light");
  const light = await createAxe().withTags(RULES).analyze();
  const found = [dark, light].flatMap(({ violations }, index) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) =>
          `${index === 0 ? "dark" : "light"} ${id}: ${target.join(" ")} ${failureSummary}`,
      ),
    ),
  );
  expect(found).toEqual([]);
}

/** Sets the system theme and waits until the page follows. */
async function setTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const other = colorScheme === "light" ? "dark" : "light";
  await expect(page.locator(`html[data-mantine-color-scheme=${other}]`)).toHaveCount(0);
}

/** Polls, because the layout may still change. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const measureExcess = () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  };
  await expect.poll(() => page.evaluate(measureExcess)).toBeLessThanOrEqual(0);
}
