import { expect, test } from "@playwright/test";
import { DOCUMENT_BUDGET, SCRIPT_BUDGETS, weigh } from "../weight";

for (const [path, budget] of Object.entries(SCRIPT_BUDGETS))
  test(`${path} loads at most ${budget} kB of script at first`, async ({ request }) => {
    const { documentKb, scriptsKb, scripts } = await weigh(path, async (src) => {
      const answer = await request.get(src);
      expect(answer.ok(), src).toBe(true);
      return answer.text();
    });
    expect(documentKb, "the document").toBeLessThanOrEqual(DOCUMENT_BUDGET);
    expect(scripts.length, "scripts in the document").toBeGreaterThan(0);
    expect(scriptsKb, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(budget);
  });
