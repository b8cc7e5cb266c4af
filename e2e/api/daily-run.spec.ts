import { simulateDay } from "../day";
import { expect, type KeyClient, requireValue, type Site, test } from "../fixtures";

const GROWTH = [
  { handle: "@juniperfivecrits", percent: 60, severity: "EXPLOSIVE", color: "#ff3366" },
  { handle: "@bramblewickarcade", percent: 30, severity: "SURGING", color: "#ff6b35" },
  { handle: "@saffronwheelbarrow", percent: 20, severity: "RISING FAST", color: "#a855f7" },
  { handle: "@nonnabettarina", percent: 12, severity: "WATCH", color: "#22d3ee" },
  { handle: "@ottoquillfeather", percent: 8, severity: null, color: null },
] as const;

async function track(client: KeyClient, handle: string): Promise<string> {
  const { status, body } = await client.post("/api/track", { channel_id: handle });
  expect(status).toBe(200);
  return requireValue(body.creator).channel_id;
}

async function collect(site: Site): Promise<unknown> {
  const { code, stdout, stderr } = await site.runNpm("snapshot", ["--json"]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

test("a tracked creator that grows by more than 10% in one day gets a HIGH_GROWTH alert and an email", async ({
  site,
}) => {
  await site.start();
  const client = await site.newClient("free");
  const newcomer = await site.newClient("free");
  await client.post("/api/alerts/email", { email: "scout@example.com" });
  const ids: string[] = [];
  for (const { handle } of GROWTH) {
    ids.push(await track(client, handle));
    await track(newcomer, handle);
  }
  const percents = new Map(GROWTH.map(({ percent }, at) => [requireValue(ids[at]), percent]));
  await simulateDay(site.dataDir, client.keyId, percents);
  expect(await collect(site)).toMatchObject({ planned: 5, read: 5, failed: 0, alerts: 4, mails: 4 });

  await test.step("GET /api/alerts lists the alerts with pagination, most recent first", async () => {
    const { body } = await client.get("/api/alerts");
    expect(body.pagination).toEqual({ total: 4, offset: 0, limit: 20, has_more: false });
    const alerts = requireValue(body.alerts);
    for (const [at, { severity }] of GROWTH.entries()) {
      const alert = alerts.find(({ channel_id }) => channel_id === ids[at]);
      if (severity === null) expect(alert).toBeUndefined();
      else
        expect(alert).toMatchObject({
          alert_type: "HIGH_GROWTH",
          message: expect.stringMatching(/^.+ grew \d+\.\d% in one day \([\d,]+ → [\d,]+\)$/),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          severity,
          channel_url: `https://www.youtube.com/channel/${ids[at]}`,
        });
    }
    const first = await client.get("/api/alerts?limit=3");
    expect(first.body).toMatchObject({
      alerts: alerts.slice(0, 3),
      pagination: { total: 4, has_more: true },
    });
    const second = await client.get("/api/alerts?limit=3&offset=3");
    expect(second.body).toMatchObject({
      alerts: alerts.slice(3),
      pagination: { offset: 3, has_more: false },
    });
    expect((await client.get("/api/usage")).body).toMatchObject({ alerts_count: 4 });
  });

  await test.step("the email has creator, percentage, counts and channel, colored by severity", async () => {
    const mails = await site.mails();
    expect(mails).toHaveLength(4);
    for (const [at, { severity, color }] of GROWTH.entries()) {
      if (severity === null) continue;
      const mail = requireValue(mails.find(({ html }) => html.includes(requireValue(ids[at]))));
      expect(mail.to).toBe("scout@example.com");
      expect(mail.subject).toMatch(new RegExp(`^${severity}: .+ grew \\d+\\.\\d%`));
      for (const word of [severity, color, `https://www.youtube.com/channel/${ids[at]}`])
        expect(mail.html).toContain(word);
      expect(mail.text).toContain(`https://www.youtube.com/channel/${ids[at]}`);
    }
  });

  await test.step("a key that started tracking today has no alert", async () => {
    expect((await newcomer.get("/api/alerts")).body).toMatchObject({ alerts: [], pagination: { total: 0 } });
  });

  await test.step("a second run on the same day changes nothing", async () => {
    await collect(site);
    expect((await client.get("/api/alerts")).body.pagination?.total).toBe(4);
    expect(await site.mails()).toHaveLength(4);
  });

  await test.step("GET /api/health and the history show the run", async () => {
    expect((await client.get("/api/health")).body).toMatchObject({
      coverage: 1,
      last_run: { alerts: 4, failed: 0 },
    });
    const { body } = await client.get(`/api/track/${ids[0]}/history`);
    expect(body.history).toHaveLength(2);
  });

  await test.step("alerts remain after the creator is untracked", async () => {
    for (const id of ids) expect((await client.delete(`/api/track/${id}`)).status).toBe(200);
    expect((await client.get("/api/alerts")).body.pagination?.total).toBe(4);
    expect(await site.mails()).toHaveLength(4);
  });
});
