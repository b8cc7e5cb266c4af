import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { z } from "zod";
import { GET } from "@/app/api/metrics/route";
import { recordBackup } from "@/db/backup";
import { trackUnread } from "@/features/creators/service";
import { setAlertEmail } from "@/features/notifications/addresses.service";
import { createChannelId, createFakePlatform } from "@/test/platform";
import { send } from "@/test/request";
import { createKey, useService } from "@/test/service";

const RULES = path.resolve("docs/alerts.yml");
const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});
const TOKEN = "a token for the tests of alerts";

/**
 * For each rule, samples that differ from those of a healthy service, and hours after which it must fire. One error and one
 * failed delivery are enough.
 */
const FIRING: Record<string, { change: Record<string, string>; hours: number }> = {
  GrowthDown: { change: { 'up{job="creator-growth"}': "0x300" }, hours: 1 },
  GrowthDatabaseDown: { change: { growth_database_up: "0x300" }, hours: 1 },
  GrowthRunOverdue: { change: { growth_run_overdue: "1x300" }, hours: 3 },
  // Prometheus begins at midnight in its tests: coverage counts from 09:00 on.
  GrowthRunIncomplete: { change: { growth_run_coverage_ratio: "0.94x700" }, hours: 10 },
  GrowthRunMissing: { change: { growth_run_age_seconds: "93601x300" }, hours: 1 },
  GrowthServerErrors: {
    change: { 'growth_http_requests_total{route="/api/usage",method="GET",status="500"}': "_x55 1x300" },
    hours: 1,
  },
  GrowthUnavailable: {
    change: { 'growth_http_requests_total{route="/api/usage",method="GET",status="503"}': "0+1x300" },
    hours: 1,
  },
  GrowthRefusals: { change: { 'growth_http_refusals_total{kind="page"}': "0+1x300" }, hours: 1 },
  GrowthDeliveriesFailing: {
    change: { 'growth_deliveries{destination="email",status="failed"}': "0x30 1x300" },
    hours: 1,
  },
  GrowthDeliveriesWaiting: { change: { 'growth_deliveries{destination="email",status="pending"}': "2x300" }, hours: 3 },
  GrowthPlatformQuotaLow: { change: { 'growth_platform_units_left{bucket="general"}': "999x300" }, hours: 1 },
  GrowthBackupOld: { change: { growth_backup_age_seconds: "129601x300" }, hours: 2 },
};

const CACHE = path.resolve("node_modules/.cache/promtool");
const UNPACKED = path.join(CACHE, "usr/bin/promtool");
const UNPACK = "apt-get download prometheus && dpkg-deb -x prometheus_*.deb .";

/**
 * Prometheus's promtool: that of this machine, or of Debian's package, which is unpacked and not installed.
 * @throws Error where there is neither
 */
async function findPromtool(): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const isRunning = (program: string) => run(`"${program}" --version`);
  if (isRunning("promtool")) return "promtool";
  if (isRunning(UNPACKED)) return UNPACKED;
  if (run(UNPACK) || run(`apt-get update && ${UNPACK}`)) return UNPACKED;
  throw new Error("There is no promtool on this machine: install Prometheus");
}

function run(command: string): boolean {
  return spawnSync("sh", ["-c", command], { cwd: CACHE, stdio: "ignore" }).status === 0;
}

describe("alerts.yml", async () => {
  const promtool = await findPromtool();
  const service = useService({
    variables: () => ({ METRICS_TOKEN: TOKEN, YOUTUBE_API_KEY: "a-key-of-the-tests" }),
    platform: (clock) => {
      const platform = createFakePlatform(clock);
      platform.show(createChannelId(1), "2026-03-10", 1000);
      platform.show(createChannelId(1), "2026-03-11", 1500);
      return platform;
    },
  });
  let folder: string;
  let rules: { alert: string; expr: string }[];
  let metrics: string;
  let healthy: Map<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "creator-growth-alerts-"));
    rules = Rules.parse(parse(await readFile(RULES, "utf8"))).groups.flatMap((group) => group.rules);
    healthy = await recordMetrics();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Samples by series of a service after two complete daily runs with an alert, a mail and a backup. */
  async function recordMetrics(): Promise<Map<string, string>> {
    const { id, secret } = await createKey(service);
    await setAlertEmail(service, id, "scout@example.com");
    await trackUnread(service, id, [createChannelId(1)]);
    for (const day of ["2026-03-10", "2026-03-11"]) {
      service.clock.set(`${day}T13:00:00Z`);
      await service.requestRun();
      await service.drain();
    }
    await recordBackup(service);
    await send("/api/usage", { key: secret });
    const headers = { Authorization: `Bearer ${TOKEN}` };
    metrics = await (await GET(new Request("http://growth.test/api/metrics", { headers }))).text();
    const samples = metrics.split("\n").filter((line) => /^growth_(?!http_request_seconds)/.test(line));
    return new Map([
      ...samples.map((line): [string, string] => {
        const at = line.lastIndexOf(" ");
        return [line.slice(0, at), line.slice(at + 1)];
      }),
      ['up{job="creator-growth"}', "1"],
    ]);
  }

  /** A test of promtool: which alerts fire on the samples of a healthy service with some changed. */
  function createTest(name: string, change: Record<string, string>, hours: number, firing: string[]) {
    const series = new Map([...healthy].map(([sample, value]) => [sample, `${value}x700`]));
    for (const [sample, values] of Object.entries(change)) series.set(sample, values);
    return {
      name,
      interval: "1m",
      input_series: [...series].map(([sample, values]) => ({ series: sample, values })),
      promql_expr_test: [
        {
          expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: `${hours}h`,
          exp_samples: firing.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
        },
      ],
    };
  }

  it("has a case for each rule, and names only metrics that the service has", () => {
    expect(rules.map(({ alert }) => alert)).toEqual(Object.keys(FIRING));
    for (const { expr } of rules)
      for (const [metric] of expr.matchAll(/\bgrowth_\w+/g))
        expect(metrics).toMatch(new RegExp(`^# TYPE ${metric} `, "m"));
  });

  it("counts failed deliveries from zero, so that the first is an increase", () => {
    for (const destination of ["email", "monitoring"])
      for (const status of ["failed", "unknown"])
        expect(healthy.get(`growth_deliveries{destination="${destination}",status="${status}"}`)).toBe("0");
  });

  it("fires each rule in its case and no other, and nothing while the service is healthy", async () => {
    const tests = [
      createTest("healthy before 09:00", {}, 3, []),
      createTest("healthy after 09:00", {}, 11, []),
      ...Object.entries(FIRING).map(([alert, { change, hours }]) => createTest(alert, change, hours, [alert])),
    ];
    const file = path.join(folder, "test.yml");
    await writeFile(file, stringify({ rule_files: [RULES], evaluation_interval: "1m", tests }));
    const { stdout, stderr } = spawnSync(promtool, ["test", "rules", file], { encoding: "utf8" });
    expect(`${stdout}${stderr}`).toMatch(/SUCCESS\s*$/);
  });
});
