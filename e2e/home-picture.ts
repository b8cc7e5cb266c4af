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
    const { channel_id, name, country, subscribers, score, alert_level, chance_7d, trend } = row;
    const week = row.growth.find(({ days }) => days === 7);
    const risen = findAlert(row);
    return {
      ...{ channel_id, name, country, subscribers, score, alert_level, chance_7d, trend },
      growth: { percent: week?.percent, low: week?.low, high: week?.high },
      alert: risen ? { severity: risen.severity, day: risen.day, label: risen.label } : null,
      reason: risen ? describeCause(risen) : describeTrend(trend),
    };
  });
  writeFileSync(FILE, `${JSON.stringify({ creators: pagination.total, rows, alert }, null, 1)}\n`);
}

function describeCause({ cause, reason }: Inbox["alerts"][number]): string {
  const [video] = cause?.videos ?? [];
  return video?.times_usual
    ? `“${video.title}”, ${Math.round(video.times_usual)} times its usual views`
    : (reason?.split(". ")[0] ?? "");
}

/** What the line beside it shows: the slowest of the last whole weeks that grew. */
function describeTrend(trend: readonly (number | null)[]): string {
  const at = (ago: number) => trend.at(-1 - ago) ?? 0;
  const weeks = [0, 7, 14, 21].map((ago) => 100 * (at(ago) / at(ago + 7) - 1)).filter(Number.isFinite);
  const grown = weeks.findIndex((growth) => growth < 2);
  const steady = grown === -1 ? weeks : weeks.slice(0, grown);
  return `Grew ${Math.floor(Math.min(...steady))}% or more in each of the last ${steady.length} weeks`;
}
