import { formatCsv } from "@/core/http/csv";
import { listGrades } from "@/features/backtest/comparison.service";
import { ALERT_LEVELS } from "@/features/growth/score.rules";
import { canCompareChannels, getAppContext } from "@/server/context";

const COUNTS = ALERT_LEVELS.map((level) => [level, level.toLowerCase()] as const);
const COLUMNS = [
  "day",
  "creators",
  ...COUNTS.flatMap(([, name]) => [`${name}_creators`, `${name}_grew_5_percent`]),
  "ranges_7d",
  "ranges_7d_held",
];

/** Every graded day of the record as a CSV file: how many creators each level had, and how many of them grew. */
export async function GET(): Promise<Response> {
  const ctx = getAppContext();
  if (!canCompareChannels(ctx)) return new Response(null, { status: 404 });
  const rows = (await listGrades(ctx)).map(({ day, channels, figures: { levels, ranges } }) => ({
    day,
    creators: channels,
    ...Object.fromEntries(
      COUNTS.flatMap(([level, name]) => [
        [`${name}_creators`, levels[level].channels],
        [`${name}_grew_5_percent`, levels[level].came],
      ]),
    ),
    ranges_7d: ranges[7].channels,
    ranges_7d_held: ranges[7].inside,
  }));
  return new Response(formatCsv(rows, COLUMNS), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8; header=present",
      "Content-Disposition": 'attachment; filename="grades.csv"',
    },
  });
}
