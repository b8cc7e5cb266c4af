import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import { ImageResponse } from "next/og";
import { formatGrowth, formatQuantity } from "@/core/format";
import type { HistorySnapshot } from "@/features/creators/schema";
import type { SharedCard, SharedList } from "@/features/creators/shares.service";
import { TREND_DAYS } from "@/features/growth/rules";
import { getAppContext } from "@/server/context";
import { getDisplayName } from "../../../_ui/names";
import { buildStepPath } from "../../../(account)/creators/[channel_id]/_chart/frame";
import { getShared } from "../get-card";

const SIZE = { width: 1200, height: 630 };
const LINE = { width: 1072, height: 220 };
const MARGIN = 6;
const ROWS = 5;

/** The preview image of a card or a list, rendered from current data and never stored. */
export async function GET(_: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const headers = { "Cache-Control": "private, no-store" };
  const { token } = await params;
  const [card, list] = await getShared(token);
  if (!card && !list) return new Response("This link has ended", { status: 404, headers });
  const isSample = getAppContext().platform.name === "sample";
  return new ImageResponse(
    <div style={PAGE}>
      <div style={{ display: "flex", justifyContent: "space-between", alignItems: "center", gap: 32 }}>
        <div style={{ display: "block", fontSize: 60, lineClamp: 2 }}>
          {list ? list.name : card && getDisplayName(card.creator)}
        </div>
        {isSample && <div style={SAMPLE}>Sample data</div>}
      </div>
      {list ? <ListPicture {...list} /> : card && <CardPicture {...card} />}
    </div>,
    { ...SIZE, headers },
  );
}

/** The line of the last days above score and growth. */
function CardPicture({ creator: { score, growth }, history }: SharedCard) {
  const facts = [
    { name: "Score", value: score === null ? "–" : `${score} of 100` },
    ...growth.map(({ days, percent }) => ({ name: formatQuantity(days, "day"), value: formatPercent(percent) })),
  ];
  return (
    <>
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
    </>
  );
}

/** The first creators of a list with their growth and score. */
function ListPicture({ table: { creators, pagination } }: SharedList) {
  return (
    <>
      <div style={{ display: "flex", flexDirection: "column", gap: 20 }}>
        {creators.slice(0, ROWS).map((creator) => (
          <div key={creator.channel_id} style={{ display: "flex", alignItems: "center", fontSize: 40 }}>
            <div style={{ display: "block", flex: 1, lineClamp: 1 }}>{getDisplayName(creator)}</div>
            <div style={{ display: "flex", width: 280, justifyContent: "flex-end", color: "#08755d" }}>
              {formatPercent(creator.growth_7d_percent)}
            </div>
            <div style={{ display: "flex", width: 160, justifyContent: "flex-end" }}>{creator.score ?? "–"}</div>
          </div>
        ))}
      </div>
      <div style={{ fontSize: 30, color: "#474e5d" }}>
        {`${formatQuantity(pagination.total, "creator")}: growth of 7 days, and the score of 100`}
      </div>
    </>
  );
}

const formatPercent = (percent: number | null) => (percent === null ? "–" : formatGrowth(percent));

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
