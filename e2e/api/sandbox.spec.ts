import { SEVERITIES } from "@/db/values";
import { SANDBOX_KEY } from "../../src/features/keys/rules";
import { createClient } from "../client";
import { anonymous, expect, test } from "../fixtures";
import { createDataDirPath, getBaseUrl, getDatabaseUrl, getOwnPort, removeDataDir, startProduct } from "../product";

const SECRET = "x".repeat(32);

test("the sandbox shows every severity within a minute of the first request, with two instances", async ({ site }, {
  parallelIndex,
}) => {
  await site.start();
  const port = getOwnPort(parallelIndex, 1);
  const env = {
    DATABASE_URL: getDatabaseUrl(site.dataDir),
    SESSION_SECRET: SECRET,
    APP_URL: getBaseUrl(port),
  };
  const dataDir = createDataDirPath();
  const other = await startProduct({ dataDir, port, env: { ...site.env, ...env } });
  const [one, two] = [createClient(site.port, SANDBOX_KEY), createClient(port, SANDBOX_KEY)];
  const begun = performance.now();
  expect((await one.get("/api/track")).body.creators).toHaveLength(7);
  const clock = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const moved = await two.get("/api/alerts", { headers: { "X-Test-Clock": clock } });
  expect(performance.now() - begun).toBeLessThan(60_000);
  expect(new Set(moved.body.alerts?.map(({ severity }) => severity))).toEqual(new Set(SEVERITIES));
  const read = await one.get("/api/alerts");
  expect(read.body.alerts).toEqual(moved.body.alerts);
  expect(read.headers.get("x-sandbox")).toContain(`clock=${clock}; ends=`);
  await other.stop();
  await removeDataDir(dataDir);
});

test("the sandbox refuses a clock with an ordinary key, and an unknown test key", async ({ api }) => {
  const headers = { "X-Test-Clock": "2030-01-01T12:00:00Z" };
  expect((await api.get("/api/usage", { headers })).status).toBe(400);
  const key = `${SANDBOX_KEY.slice(0, -1)}x`;
  expect((await anonymous.get("/api/usage", { key, headers })).status).toBe(401);
});
