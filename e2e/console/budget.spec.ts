import { signIn } from "../console";
import { expect, requireValue, test } from "../fixtures";
import { DOCUMENT_BUDGET, measureScripts, measureWeight, PAGES, SCRIPT_BUDGETS } from "../weight";

for (const kind of ["open", "console"] as const)
  for (const path of PAGES[kind])
    test(`${path} loads at most ${SCRIPT_BUDGETS[kind]} kB of script initially`, async ({ request, pro }) => {
      if (kind === "console" && path !== "/sign-in") await signIn({ request }, pro.key);
      const { documentKb, scriptsKb, scripts } = await measureWeight(path, async (src) => {
        const answer = await request.get(src);
        expect(answer.ok(), src).toBe(true);
        return answer.text();
      });
      expect(documentKb, "the document").toBeLessThanOrEqual(DOCUMENT_BUDGET);
      expect(scripts.length, "scripts in the document").toBeGreaterThan(0);
      expect(scriptsKb, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(SCRIPT_BUDGETS[kind]);
    });

test(`a creator's page loads at most ${SCRIPT_BUDGETS.console} kB of script until it is idle`, async ({
  page,
  pro,
}) => {
  const { body } = await pro.post("/api/track", { channel_id: "@copperbyteretro" });
  await signIn(page, pro.key);
  const scripts = await measureScripts(page, `/creators/${requireValue(body.creator?.channel_id)}`);
  const sum = scripts.reduce((total, { kb }) => total + kb, 0);
  expect(sum).toBeGreaterThan(100);
  expect(sum, JSON.stringify(scripts, null, 1)).toBeLessThanOrEqual(SCRIPT_BUDGETS.console);
});
