import { eq } from "drizzle-orm";
import postgres from "postgres";
import { describe, expect, it } from "vitest";
import { DestinationError } from "@/core/mail/destination";
import { apiKeys, snapshotRuns } from "@/db/schema";
import { issueKey } from "@/features/keys/service";
import { useDailyRuns } from "@/test/daily-run";
import { runCli, startCli } from "@/test/programs";
import { createKey, type TestKey } from "@/test/service";

/** Deleting a key needs the service's secret; reading does not. */
const SECRET = { SESSION_SECRET: "Zk3vQ8mW1xR5tY7uB2nC4dE6fG9hJ0aL" };

describe("operator's view of a hosted database, from a clone", () => {
  const runs = useDailyRuns();
  const { service } = runs;

  const run = (command: string, words: string[], more: Record<string, string> = {}) =>
    runCli(command, words, { DATABASE_URL: service.databaseUrl, ...more });
  async function runJson(command: string, words: string[]) {
    const { stdout, stderr } = await run(command, [...words, "--json"]);
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  }

  /** Two keys with an alert: the mail of one is refused, the other has no address. */
  async function makeMorning() {
    const { key: refused, email } = await runs.createMailedKey();
    const unset: TestKey = await createKey(service);
    for (const { id } of [refused, unset]) {
      const channelId = await runs.track(id, 1000);
      runs.platform.show(channelId, runs.next, 1200);
    }
    runs.mailService.failures.push(new DestinationError("validation_error (422): Invalid `to`", { final: true }));
    await runs.run(runs.next);
    return { refused, unset, email };
  }

  it("status --day shows the run, and which key got no email and why", async () => {
    const { refused, unset } = await makeMorning();
    const found = await runJson("status", ["--day", runs.next]);
    expect(found).toMatchObject({
      day: runs.next,
      run: { planned: 2, read: 2, failed: 0, alerts: 2, coverage: 1 },
      incident: null,
      unread: [],
    });
    const counted = { count: 1, destination: "email" };
    expect(found.deliveries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ key_id: refused.id, ...counted, outcome: "failed" },
          reason: "validation_error (422): Invalid `to`",
        }),
        expect.objectContaining({ key_id: unset.id, ...counted, outcome: "none", reason: "the key had no address" }),
        expect.objectContaining({ key_id: unset.id, destination: "monitoring", outcome: "sent", reason: null }),
      ]),
    );
    const { stdout } = await run("status", ["--day", runs.next]);
    expect(stdout).toContain(`Daily run of ${runs.next}`);
    expect(stdout).toContain("the key had no address");
    expect((await run("status", [])).stdout).toContain(`npm run status -- --day ${runs.next}`);
  });

  it("status says when the database is empty, as another data folder's is", async () => {
    await makeMorning();
    expect((await run("status", [])).stdout).not.toContain("This database is empty");
    await service.db.delete(apiKeys);
    await service.db.delete(snapshotRuns);
    expect((await run("status", [])).stdout).toMatch(/^This database is empty\./);
  });

  it("keys show shows address, creators, requests, deliveries with their reasons, and bounced addresses", async () => {
    const { refused, email } = await makeMorning();
    const found = await runJson("keys", ["show", refused.id]);
    expect(found).toMatchObject({
      id: refused.id,
      address: { email },
      creators: 1,
      tracked: [{ status: "active" }],
      requests: [],
      suppressed: [],
    });
    expect(found.deliveries).toEqual([
      expect.objectContaining({
        ...{ day: runs.next, destination: "email", outcome: "failed" },
        reason: "validation_error (422): Invalid `to`",
      }),
      expect.objectContaining({ day: runs.next, destination: "monitoring", outcome: "sent", reason: null }),
    ]);
    const { stdout } = await run("keys", ["show", refused.id]);
    expect(stdout).toContain(email);
  });

  it("keys show finds a key by the label that it alone has, and lists the ids of keys that share one", async () => {
    const issue = () => issueKey(service, { tier: "free", label: "Acme Scouts" });
    const { record } = await issue();
    expect(await runJson("keys", ["show", "Acme Scouts"])).toMatchObject({ id: record.id });
    const other = await issue();
    const { code, stderr } = await run("keys", ["show", "Acme Scouts"]);
    const ids = [record.id, other.record.id].sort().reverse().join(", ");
    expect([code, stderr]).toEqual([1, `Error: 2 keys have the label "Acme Scouts". Give an id: ${ids}\n`]);
  });

  it("prints errors as JSON with --json", async () => {
    const unknown = await run("keys", ["show", "key_0", "--json"]);
    expect([unknown.code, unknown.stdout, JSON.parse(unknown.stderr)]).toEqual([
      1,
      "",
      { error: expect.stringContaining("key_0") },
    ]);
    const { stderr } = await run("status", ["--day", "yesterday", "--json"]);
    expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining("must be a day, such as 2026-11-20") });
  });

  it("says on Ctrl-C that nothing was changed", async () => {
    const blocker = postgres(service.databaseUrl);
    const command = await blocker.begin(async (tx) => {
      await tx`lock table api_keys in access exclusive mode`;
      const waiting = startCli("keys", ["list"], { DATABASE_URL: service.databaseUrl });
      const countWaiting = () => blocker`select from pg_locks where not granted and relation = 'api_keys'::regclass`;
      await expect.poll(async () => (await countWaiting()).length, { timeout: 60_000 }).toBe(1);
      waiting.process.kill("SIGINT");
      return waiting;
    });
    expect(await command.ended).toMatchObject({ code: 130, stderr: "\nStopped. Nothing was changed.\n" });
    await blocker.end();
  });

  it.each(["revoke", "rotate", "delete"])(
    "keys %s changes nothing without a terminal and without --yes",
    async (word) => {
      const { id } = await createKey(service);
      const { code, stdout, stderr } = await run("keys", [word, id]);
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        "Error: Nothing was changed. Add --yes: there is no terminal to ask in\n",
      ]);
      const [row] = await service.db.select().from(apiKeys).where(eq(apiKeys.id, id));
      expect(row).toMatchObject({ revokedAt: null, rotatedAt: null });
      expect((await run("keys", [word, id, "--yes"], SECRET)).code).toBe(0);
    },
  );
});
