import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { ImageResponse } from "next/og";
import { formatGrowth } from "@/core/format";
import type { HistorySnapshot } from "@/features/creators/schema";
import { TREND_DAYS } from "@/features/growth/rules";
import { getAppContext } from "@/server/context";
import { getDisplayName } from "../../../_ui/names";
import { buildStepPath } from "../../../(account)/creators/[channel_id]/_chart/paths";
import { getCard } from "../get-card";

const SIZE = { width: 1200, height: 630 };
const LINE = { width: 1072, height: 220 };
const MARGIN = 6;

/** The card's preview image, rendered from current data and never stored. */
export async function GET(_: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const headers = { "Cache-Control": "private, no-store" };
  const card = await getCard((await params).token);
  if (!card) return new Response("This link has ended", { status: 404, headers });
  const { creator, history } = card;
  const growth = creator.growth.map(({ days, percent }) => ({
    name: `${days} ${days === 1 ? "day" : "days"}`,
    value: percent === null ? "–" : formatGrowth(percent),
  }));
  const facts = [{ name: "Score", value: creator.score === null ? "–" : `${creator.score} of 100` }, ...growth];
  const isSample = getAppContext().platform.name === "sample";
  return new ImageResponse(
    <div style={PAGE}>
      <div style={{ display: "flex", justifyContent: "space-between", alignItems: "center", gap: 32 }}>
        <div style={{ display: "block", fontSize: 60, lineClamp: 2 }}>{getDisplayName(creator)}</div>
        {isSample && <div style={SAMPLE}>Sample data</div>}
      </div>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the picture would show the title as text */}
      <svg width={LINE.width} height={LINE.height}>
        <path d={buildLine(history)} fill="none" stroke="#3249d3" strokeWidth={5} />
      </svg>
      <div style={{ display: "flex", justifyContent: "space-between" }}>
        {facts.map(({ name, value }) => (
          <div key={name} style={{ display: "flex", flexDirection: "column" }}>
            <div style={{ fontSize: 30, color: "#474e5d" }}>{name}</div>
            <div style={{ fontSize: 52 }}>{value}</div>
          </div>
        ))}
      </div>
    </div>,
    { ...SIZE, headers },
  );
}

/** The last 30 snapshots, from the lowest count to the highest. */
function buildLine(history: readonly HistorySnapshot[]): string {
  const counts = history.slice(-TREND_DAYS).map(({ subscribers }) => subscribers);
  const [low = 0, high = 0] = extent(counts.filter((count) => count !== null));
  const x = scaleLinear([0, counts.length], [0, LINE.width]);
  const y = scaleLinear([low, high || 1], [LINE.height - MARGIN, MARGIN]);
  return buildStepPath(counts, { x, y }) || "M0 0";
}

const PAGE = {
  display: "flex",
  flexDirection: "column",
  justifyContent: "space-between",
  width: "100%",
  height: "100%",
  padding: 64,
  background: "#fafafb",
  color: "#12151c",
} as const;
const SAMPLE = {
  display: "flex",
  flexShrink: 0,
  fontSize: 28,
  padding: "8px 24px",
  background: "#fff5db",
  color: "#5c4300",
};
