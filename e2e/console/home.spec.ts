import { expect, test } from "@playwright/test";

test("the home page starts with one h1 and a title, shows what is sold and no demo, and requests no other site", async ({
  page,
  baseURL,
}) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const isOwn = request.url().startsWith(`${baseURL}/`) || /^(data|blob):/.test(request.url());
    if (!isOwn) foreign.push(request.url());
  });
  const answer = await page.goto("/", { waitUntil: "networkidle" });
  expect(answer?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(/\S/);
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await expect(page.getByRole("table", { name: "Rising creators of the sample data" })).toBeInViewport();
  for (const name of ["Evidence you can forward", "How it works", "Prices"])
    await expect(page.getByRole("heading", { level: 2, name })).toBeVisible();
  for (const text of ["$0", "$29", "$99"]) await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByRole("button", { name: "Live demo" })).toBeHidden();
  expect(foreign).toEqual([]);
});
