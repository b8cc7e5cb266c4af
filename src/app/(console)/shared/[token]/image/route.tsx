import { ImageResponse } from "next/og";
import { appContext } from "@/server/context";
import { formatGrowth } from "@/ui/format";
import { shownName } from "../../../_ui/shown-name";
import { HEIGHT, sparklineShape, WIDTH } from "../../../_ui/sparkline-path";
import { cardOf } from "../card-of";

const SIZE = { width: 1200, height: 630 };
const TREND_DAYS = 30;

/** The card's picture in messengers. It reads the rows of now and is never stored. */
export async function GET(_: Request, { params }: { params: Promise<{ token: string }> }): Promise<Response> {
  const headers = { "Cache-Control": "private, no-store" };
  const card = await cardOf((await params).token);
  if (!card) return new Response("This link has ended", { status: 404, headers });
  const { creator, history } = card;
  const line = sparklineShape(history.slice(-TREND_DAYS).map(({ subscribers }) => subscribers));
  const growth = creator.growth.map(({ days, percent }) => ({
    name: `${days} ${days === 1 ? "day" : "days"}`,
    value: percent === null ? "–" : formatGrowth(percent),
  }));
  const facts = [
    { name: "Score", value: creator.score === null ? "–" : `${creator.score} of 100` },
    ...growth,
  ];
  const isSample = appContext().platform.name === "sample";
  return new ImageResponse(
    <div style={PAGE}>
      <div style={{ display: "flex", justifyContent: "space-between", alignItems: "center", gap: 32 }}>
        <div style={{ display: "block", fontSize: 60, lineClamp: 2 }}>{shownName(creator)}</div>
        {isSample && <div style={SAMPLE}>Sample data</div>}
      </div>
      {line ? (
        <svg width={1072} height={220} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          <title>Subscribers</title>
          <path d={line.area} fill="#3249d3" fillOpacity={0.12} />
          <path d={line.path} fill="none" stroke="#3249d3" strokeWidth={0.7} />
        </svg>
      ) : (
        <div style={{ display: "flex", height: 220 }} />
      )}
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
