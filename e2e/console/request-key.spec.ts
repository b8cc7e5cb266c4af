import path from "node:path";
import { readOutbox } from "../../src/core/mail/outbox";
import { expectAccessible, waitForHydration, watchFaults } from "../console";
import { expect, requireValue, test } from "../fixtures";
import { DATA_DIR, runKeysJson } from "../product";

interface KeyRequest {
  id: string;
  email: string;
}

test("a newcomer requests a key, opens the link once and makes a request with the key @phone", async ({
  page,
  request,
}, { project }) => {
  const email = `newcomer-${project.name}-${Date.now()}@example.com`;
  await page.goto("/");
  await page.getByRole("link", { name: "Get an API key" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Request a key");
  const send = page.getByRole("button", { name: "Send request" });
  await waitForHydration(send);
  await page.getByLabel("Name").fill("Nora Newcomer");
  await page.getByLabel("Email").fill("not an address");
  await page.getByLabel("What is it for?").fill("Scouting chess channels");
  await send.click();
  await expect(page.getByRole("alert").filter({ hasText: "Email" })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Nora Newcomer");
  await expectAccessible(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Plan").selectOption("starter");
  await send.click();
  await expect(page.getByRole("status")).toContainText("within 24 hours");

  const open = await runKeysJson<KeyRequest[]>(["requests"]);
  const keyRequest = requireValue(open.find((one) => one.email === email));
  await runKeysJson(["issue", "--request", keyRequest.id]);
  const mails = await readOutbox(path.join(DATA_DIR, "outbox"), 100);
  const mail = requireValue(mails.find((one) => one.mail.to === email)).mail;
  const link = requireValue(/\/key\/[\w-]{43}/.exec(mail.text)?.[0]);

  const faults = watchFaults(page);
  await page.goto(link);
  await expectAccessible(page);
  const press = page.getByRole("button", { name: "Show my key" });
  await waitForHydration(press);
  await press.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your API key");
  const key = requireValue(/cg_\w+/.exec(await page.getByRole("main").innerText())?.[0]);
  await expectAccessible(page);
  const usage = await request.get("/api/usage", { headers: { "X-API-Key": key } });
  expect(await usage.json()).toMatchObject({ tier: "starter" });
  expect(faults).toEqual([]);
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link was already used");
  await expect(page.getByRole("main")).not.toContainText(key);
});
