import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures";

/** Signs a browser in without the form, which has specs of its own. */
export async function signIn(page: Page, key: string): Promise<void> {
  const answer = await page.request.post("/api/trpc/sessions.signIn", {
    headers: { "Sec-Fetch-Site": "same-origin" },
    data: { key },
  });
  expect(answer.status(), await answer.text()).toBe(200);
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

/** The page has nothing that axe knows to keep people out, in the light and in the dark theme. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary }) => `${colorScheme} ${id}: ${target.join(" ")} ${failureSummary}`,
      ),
    );
    expect(found).toEqual([]);
  }
}

/** The page fits the width of its screen, once it has settled on it. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect.poll(excess).toBeLessThanOrEqual(0);
}
