import { formatDay } from "@/core/format";
import styles from "./chart.module.css";
import { clipText } from "./labels";
import type { UploadMark } from "./notes";
import type { PlotProps } from "./plot";

/** The narrowest chart that names the video of an alert. */
const NAMED_FROM = 700;
const TITLE = { letters: 34, width: 230, height: 34 };

/** Uploads on the axis: triangles for long videos, rings for Shorts, squares for streams. One that an alert came from is named. */
export function UploadMarks({ model, frame }: PlotProps) {
  const y = frame.plot.height - 5;
  const causes = model.uploads.filter(({ isCause }) => isCause);
  const [named] = causes.length === 1 && frame.width >= NAMED_FROM && model.since === null ? causes : [];
  return (
    <>
      {named && <Name mark={named} model={model} frame={frame} />}
      {model.uploads.map(({ id, at, form, isCause }) => (
        <g key={id} transform={`translate(${Math.round(frame.x(at) * 10) / 10} ${y})`}>
          <UploadShape form={form} isCause={isCause} />
        </g>
      ))}
    </>
  );
}

/** The mark of an upload, around the origin. */
export function UploadShape({ form, isCause }: Pick<UploadMark, "form" | "isCause">) {
  if (form === "short") return <circle className={styles.ring} data-cause={isCause || undefined} r="3.5" />;
  const path = form === "long" ? "M-4.5 4h9l-4.5 -8Z" : "M-3.5 -3.5h7v7h-7Z";
  return <path className={styles.upload} data-cause={isCause || undefined} d={path} />;
}

/** The title of a video, above the line at the side that has room. */
function Name({ mark: { at, title }, model, frame }: PlotProps & { mark: UploadMark }) {
  const { x, y, plot } = frame;
  const isLeft = x(at) > TITLE.width;
  const [from, to] = isLeft ? [x(at) - TITLE.width, x(at)] : [x(at), x(at) + TITLE.width];
  const heights = (model.highest ?? []).flatMap((value, index) =>
    value !== null && x(index + 1) >= from && x(index) <= to ? y(value) : [],
  );
  const top = Math.min(plot.height - 24, ...heights) - TITLE.height;
  if (top < TITLE.height) return null;
  const edge = isLeft ? x(at) - 8 : x(at) + 8;
  return (
    <>
      <path className={styles.lead} d={`M${x(at)} ${plot.height - 12}V${top - 6}`} />
      <text className={styles.label} x={edge} y={top} textAnchor={isLeft ? "end" : "start"}>
        <tspan className={styles.strong}>“{clipText(title, TITLE.letters)}”</tspan>
        <tspan x={edge} dy="16">
          uploaded {formatDay(model.days[Math.floor(at)]?.day ?? "")}
        </tspan>
      </text>
    </>
  );
}
