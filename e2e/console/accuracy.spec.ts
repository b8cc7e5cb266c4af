import { chanceCorrections } from "@/db/schema";
import { expectAccessible, expectNoSidewaysScrolling, watchFaults } from "../console";
import { expect, runKeysVerb, test } from "../fixtures";
import { getBaseUrl } from "../product";
import { recordGrades } from "../record";

test.describe("accuracy page", () => {
  test("is public, linked from the home page, and says how alerts are graded", {
    tag: ["@phone", "@phone-nightly"],
  }, async ({ page }) => {
    const faults = watchFaults(page);
    await page.goto("/");
    await page.getByRole("link", { name: "Accuracy" }).first().click();
    await expect(page).toHaveURL(/\/accuracy$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Every score is graded a week later");
    await expect(page.getByText("Sample data", { exact: true })).toBeVisible();
    for (const name of ["What will stand here", "What became of alerts?", "How it is measured"])
      await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
    for (const text of ["for small, large and new creators too", "chances and ranges of 28 days"])
      await expect(page.getByText(text)).toBeVisible();
    await expectAccessible(page);
    expect(faults).toEqual([]);
  });

  test("shows chances by group, the share of ranges that held, and the graded chance of holding", async ({
    page,
    site,
  }) => {
    await site.start();
    await runKeysVerb(recordGrades, site.dataDir);
    await page.goto(`${getBaseUrl(site.port)}/accuracy`);
    const groups = page.getByRole("region", { name: "Does it hold for small, large and new creators?" });
    await expect(groups.getByRole("figure").filter({ hasText: "1K to 10K" })).toHaveText(
      /said 20%seen 25%25 of 100 weeks/,
    );
    await expect(groups.getByText("Over 100K No graded week yet.")).toBeVisible();
    await expect(groups.getByText("Weakest today")).toBeHidden();
    await expect(groups.getByText("Below 100 subscribers no chance is given")).toBeVisible();
    await expect(groups.getByText(/Chances of 28 days are graded from \d+ \w+/)).toBeVisible();
    const ranges = page.getByRole("region", { name: "Did the range hold what came?" });
    await expect(ranges.getByText("Ranges held 75 of 100")).toContainText("75 of 100");
    await expect(ranges.getByText(/will stand here from \d+ \w+/)).toBeVisible();
    await expect(page.getByText(/Ours for 7 days is 0\.190, always saying 25% gives 0\.188/)).toBeVisible();
    await expect(
      page.getByText(/^Alerts came with a chance of 60% to hold, on average. Of 2 graded alerts, 50% held/),
    ).toBeVisible();
    for (const text of [
      "Chances of 7 days are corrected by this record from 500 graded weeks on. So far it has 100.",
      "These chances are corrected by this record from 200 graded alerts on. So far it has 2.",
    ])
      await expect(page.getByText(text)).toBeVisible();
    const file = await page.request.get(`${getBaseUrl(site.port)}/accuracy/grades.csv`);
    const [heads = "", ...days] = (await file.text()).trim().split("\r\n");
    expect(heads).toMatch(/^day,creators,high_growth_creators,high_growth_grew_5_percent,/);
    expect(days[0]).toMatch(/^\d{4}-\d\d-\d\d,100,/);
    await runKeysVerb(
      ({ db }) =>
        db
          .insert(chanceCorrections)
          .values({ chance: "chance_7d", intercept: 0.4, slope: 1, graded: 600, fittedOn: "2026-03-20" }),
      site.dataDir,
    );
    await page.reload();
    await expect(
      page.getByText(
        /^Chances of 7 days are corrected by this record, last on 20 Mar.* from 600 graded weeks: 5% is given as 7\.3%, 20% as 27%/,
      ),
    ).toBeVisible();
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoSidewaysScrolling(page);
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page);
    }
  });
});
