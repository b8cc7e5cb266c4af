import { signIn } from "../console";
import { expect, test } from "../fixtures";
import { DOCUMENT_BUDGET, measureWeight, PAGES, SCRIPT_BUDGETS } from "../weight";

for (const kind of ["open", "console"] as const)
  for (const path of PAGES[kind])
    test(`${path} loads at most ${SCRIPT_BUDGETS[kind]} kB of script initially`, async ({ page, pro }) => {
      if (kind === "console" && path !== "/sign-in") await signIn(page, pro.key);
      const { documentKb, scriptsKb, scripts } = await measureWeight(path, async (src) => {
        const answer = await page.request.get(src);
        expect(answer.ok(), src).toBe(true);
        return answer.text();
      });
      expect(documentKb, "the document").toBeLessThanOrEqual(DOCUMENT_BUDGET);
      expect(scripts.length, "scripts in the document").toBeGreaterThan(0);
      expect(scriptsKb, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(SCRIPT_BUDGETS[kind]);
    });
