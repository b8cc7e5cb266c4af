import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "../fixtures";
import { PLANTED, PLANTED_BUILD, PLANTED_SECRETS } from "../planted";
import { getBaseUrl } from "../product";

/** The secrets that a text contains. */
const findSecrets = (text: string, secrets: readonly string[]) => secrets.filter((one) => text.includes(one));

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => path.join(folder, name)).filter((file) => statSync(file).isFile());
}

test("logs, responses and pages contain no secret, even when every service fails", async ({ site }) => {
  test.slow();
  const product = await site.start({ ...PLANTED, LOG_LEVEL: "debug" });
  const client = await site.newClient("pro");
  const own = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
  const answers: string[] = [];
  const ask = async (where: string, init?: RequestInit) => {
    const answer = await fetch(`${getBaseUrl(site.port)}${where}`, { redirect: "manual", ...init });
    answers.push(JSON.stringify([...answer.headers]), await answer.text());
    return answer;
  };
  const buildBearerHeader = (token: string) => ({ Authorization: `Bearer ${token}` });
  const key = { "X-API-Key": client.key };

  expect((await ask("/api/metrics", { headers: buildBearerHeader(PLANTED.METRICS_TOKEN) })).status).toBe(200);
  expect((await ask("/api/metrics", { headers: buildBearerHeader("wrong") })).status).toBe(401);
  for (const page of [
    "/",
    "/docs",
    "/sign-in",
    "/privacy",
    "/.well-known/security.txt",
    "/api/health",
    "/api/openapi.json",
  ])
    expect((await ask(page)).status, page).toBe(200);
  const body = JSON.stringify({ channel_id: "@sprocketowl" });
  // A niche outside the map: the first start searches those inside itself.
  expect((await ask("/api/discover?niche=lockpicking", { headers: key })).status).toBe(503);
  expect((await ask("/api/track", { method: "POST", headers: { ...key, ...own }, body })).status).toBe(503);
  await ask(`/api/track/${client.key}`, { headers: key });
  await ask(`/api/discover?niche=a&key=${client.key}`);
  await ask("/api/webhooks/resend", { method: "POST", body: "{}" });
  const signIn = await ask("/api/trpc/sessions.signIn", {
    method: "POST",
    headers: own,
    body: JSON.stringify({ key: client.key }),
  });
  const cookie = signIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  for (const [procedure, input] of [
    ["addresses.set", { email: "scout@example.com" }],
    ["addresses.test", {}],
  ])
    await ask(`/api/trpc/${procedure}`, {
      method: "POST",
      headers: { ...own, Cookie: cookie },
      body: JSON.stringify(input),
    });
  expect((await ask("/settings", { headers: { Cookie: cookie } })).status).toBe(200);

  const password = readFileSync(path.join(site.dataDir, "postgres", "password"), "utf8").trim();
  const secrets = [...PLANTED_SECRETS, password, client.key];
  const { stdout, stderr } = await product.stop();
  expect(stdout).toContain('"msg":"request"');
  expect(findSecrets(stdout + stderr, secrets)).toEqual([]);
  expect(findSecrets(answers.join("\n"), secrets)).toEqual([]);
});

test("the build contains no secret of the environment and serves no source map", () => {
  test.skip(!existsSync(PLANTED_BUILD), "built without planted secrets");
  const built = [...listFiles(".next"), ...listFiles("dist")].filter(
    (file) => !file.startsWith(path.join(".next", "cache")),
  );
  expect(built.length).toBeGreaterThan(100);
  for (const file of built) expect(findSecrets(readFileSync(file, "latin1"), PLANTED_SECRETS), file).toEqual([]);
  expect(built.filter((file) => /^\.next\/static\/.*\.map$/.test(file))).toEqual([]);
});

test("browser bundles contain no server code", () => {
  const given = listFiles(path.join(".next", "static")).filter((file) => file.endsWith(".js"));
  expect(given.length).toBeGreaterThan(10);
  const inside = ["secret_hash", "DATABASE_URL", "EMBEDDED_DATABASE_URL", "RESEND_API_KEY", "drizzle-orm"];
  for (const file of given) expect(findSecrets(readFileSync(file, "utf8"), inside), file).toEqual([]);
});
