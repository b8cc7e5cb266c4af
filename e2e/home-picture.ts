import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { APIRequestContext } from "@playwright/test";
import type { Inbox, InboxSummary } from "../src/features/alerts/inbox.service";
import type { TrackedTable } from "../src/features/creators/table.service";
import type { CreatorList } from "../src/features/lists/service";

const FILE = "src/app/_home/picture.json";
const ROWS = 7;

/** Writes the first screen of the demo's overview, and its latest alert with a cause, for the home page to draw. */
export async function writeHomePicture(request: APIRequestContext): Promise<void> {
  const read = async <Data>(procedure: string, input?: object): Promise<Data> => {
    const query = input ? `?${new URLSearchParams({ input: JSON.stringify(input) })}` : "";
    const answer = await request.get(`/api/trpc/${procedure}${query}`);
    return (await answer.json()).result.data;
  };
  const { creators, pagination } = await read<TrackedTable>("creators.tracked", { limit: ROWS });
  const { alerts } = await read<Inbox>("alerts.inbox", { limit: 50 });
  const { unread } = await read<InboxSummary>("alerts.summary", {});
  const { lists } = await read<{ lists: CreatorList[] }>("lists.all");
  const [latest] = alerts;
  const rows = creators.map(({ growth, last_alert, ...row }) => {
    const week = growth.find(({ days }) => days === 7);
    const { channel_id, name, country, subscribers, score, alert_level, expected_7d, trend, reason } = row;
    return {
      channel_id,
      name,
      country,
      subscribers,
      score,
      alert_level,
      expected_7d,
      trend,
      reason: reason?.split("; ")[0],
      growth: { percent: week?.percent, low: week?.low, high: week?.high },
      alert: last_alert?.day === latest?.day ? last_alert : null,
    };
  });
  const picture = {
    creators: pagination.total,
    alerted: alerts.filter(({ day }) => day === latest?.day).length,
    unread,
    lists: lists.map(({ name, creators: count }) => ({ name, count })),
    rows,
    alert: alerts.find(({ cause, label }) => cause?.kind === "video" && label === "sustained"),
  };
  writeFileSync(FILE, `${JSON.stringify(picture, null, 1)}\n`);
  execFileSync("npx", ["biome", "format", "--write", FILE]);
}
