import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { APIRequestContext } from "@playwright/test";
import type { Inbox } from "../src/features/alerts/inbox.schema";
import type { TrackedRow, TrackedTable } from "../src/features/creators/table.schema";

const FILE = "src/app/_home/picture.json";
const ROWS = 7;
const RECENT_DAYS = 10;

/** Writes the first rows of the demo's overview, and its latest alert with a cause, for the home page to draw. */
export async function writeHomePicture(request: APIRequestContext): Promise<void> {
  const read = async <Data>(procedure: string, input: object): Promise<Data> => {
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    const answer = await request.get(`/api/trpc/${procedure}?${query}`);
    return (await answer.json()).result.data;
  };
  const { creators, pagination } = await read<TrackedTable>("creators.tracked", { limit: 20 });
  const { alerts } = await read<Inbox>("alerts.inbox", { limit: 50 });
  const alert = alerts.find(({ cause, label }) => cause?.kind === "video" && label === "sustained");
  const findAlert = ({ channel_id, last_snapshot_at }: TrackedRow) =>
    alerts.find(
      (one) =>
        one.channel_id === channel_id &&
        Date.parse(last_snapshot_at ?? "") - Date.parse(one.day) < RECENT_DAYS * 24 * 3_600_000,
    );
  const [first, others] = [creators.slice(0, ROWS - 1), creators.slice(ROWS - 1)];
  const rows = [...first, ...others.filter(findAlert).slice(0, 1)].map((row) => {
    const { channel_id, name, country, subscribers, score, alert_level, expected_7d, trend } = row;
    const week = row.growth.find(({ days }) => days === 7);
    const risen = findAlert(row);
    const [video] = risen?.cause?.videos ?? [];
    return {
      ...{ channel_id, name, country, subscribers, score, alert_level, expected_7d, trend },
      growth: { percent: week?.percent, low: week?.low, high: week?.high },
      alert: risen ? { severity: risen.severity, day: risen.day } : null,
      reason: video?.times_usual
        ? `“${video.title}”, ${Math.round(video.times_usual)} times its usual views`
        : row.reason,
    };
  });
  writeFileSync(FILE, `${JSON.stringify({ creators: pagination.total, rows, alert }, null, 1)}\n`);
  execFileSync("npx", ["biome", "format", "--write", FILE]);
}
