import { formatDate } from "@/core/format";
import type { Creator } from "@/features/creators/schema";
import { getDisplayName } from "../../../../_ui/names";
import { saveFile } from "../../../../_ui/save-button";
import type { SnapshotDay } from "./snapshot-days";

/** Pixels of a picture for each pixel of the chart, so that it stays sharp on paper and in slides. */
const SCALE = 2;
/** What browsers draw without failing, in pixels of one side. */
const MAX_PIXELS = 8192;
/** What a reader's theme decides. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
] as const;
const PADDING = 24;
/** A picture has the system's typeface, whose letters can be wider than those of the page. */
const SPARE = 36;
const HEAD = 56;
const FOOT = 36;

interface PictureText {
  title: string;
  /** Below the title. */
  lead: string;
  source: string;
}

/** The size of the picture of a chart, with room for its texts; the chart's position in it; its pixels for each of these. */
export function getPictureSize(width: number, height: number) {
  const whole = {
    width: Math.ceil(width) + 2 * PADDING + SPARE,
    height: Math.ceil(height) + HEAD + FOOT + PADDING,
  };
  const scale = Math.min(SCALE, MAX_PIXELS / Math.max(whole.width, whole.height));
  return { ...whole, chart: { x: PADDING, y: HEAD + PADDING / 2 }, scale };
}

/** `sprocket.owl-subscribers-2026-03-10.png`, in characters that every system allows in a file's name. */
export function buildPictureName(creator: { handle: string | null; channel_id: string }, ...parts: string[]): string {
  const name = creator.handle?.replace(/^@/, "").replace(/[^\p{L}\p{N}._-]+/gu, "-") || creator.channel_id;
  return `${[name, ...parts].join("-")}.png`;
}

interface Drawing {
  creator: Pick<Creator, "channel_id" | "name" | "handle">;
  days: readonly SnapshotDay[];
  isSample: boolean | undefined;
}

/** Saves a chart as a PNG file from the browser. @throws Error when the browser cannot draw it */
export async function saveChart(chart: SVGSVGElement, { creator, days, isSample }: Drawing): Promise<void> {
  const last = days.at(-1)?.day ?? "";
  const period = `${formatDate(days[0]?.day ?? last)} to ${formatDate(last)}`;
  const picture = await renderPicture(chart, {
    title: `${getDisplayName(creator)}: subscribers`,
    lead: `${creator.handle ?? creator.channel_id}, ${period}, days are UTC days`,
    source: isSample ? "Sample data" : "Platform numbers: YouTube, read once a day",
  });
  saveFile(picture, buildPictureName(creator, "subscribers", last));
}

async function renderPicture(chart: SVGSVGElement, text: PictureText): Promise<Blob> {
  const { width, height } = chart.getBoundingClientRect();
  const size = getPictureSize(width, height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(renderSvg(chart, text, size))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(size.width * size.scale);
  canvas.height = Math.round(size.height * size.scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is empty"))), "image/png");
  });
}

/** The chart with its texts as one SVG document, independent of the page's styles. */
function renderSvg(
  chart: SVGSVGElement,
  { title, lead, source }: PictureText,
  size: ReturnType<typeof getPictureSize>,
): string {
  const page = getComputedStyle(document.body);
  const ink = getComputedStyle(chart).color;
  const copy = inlineStyles(chart);
  setAttributes(copy, { ...size.chart, overflow: "visible" });
  const picture = document.createElementNS(chart.namespaceURI, "svg");
  setAttributes(picture, { xmlns: String(chart.namespaceURI), width: size.width, height: size.height });
  const line = (text: string, y: number, fontSize: number, weight: number) => {
    const element = document.createElementNS(chart.namespaceURI, "text");
    const font = { "font-family": page.fontFamily, "font-size": fontSize, "font-weight": weight };
    setAttributes(element, { x: PADDING, y, fill: weight > 500 ? page.color : ink, ...font });
    element.textContent = text;
    return element;
  };
  const paper = document.createElementNS(chart.namespaceURI, "rect");
  setAttributes(paper, { width: size.width, height: size.height, fill: page.backgroundColor });
  picture.append(paper, line(title, PADDING + 12, 18, 650), line(lead, PADDING + 34, 13, 400), copy);
  picture.append(line(source, size.height - PADDING / 1.5, 12, 400));
  return new XMLSerializer().serializeToString(picture);
}

function inlineStyles(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const [from, to] = [
    [chart, ...chart.querySelectorAll("*")],
    [copy, ...copy.querySelectorAll("*")],
  ];
  for (const [index, element] of from.entries()) {
    const looks = getComputedStyle(element);
    const target = to[index];
    for (const name of LOOKS) target?.setAttribute(name, looks.getPropertyValue(name));
    target?.removeAttribute("class");
    target?.removeAttribute("style");
  }
  for (const hidden of copy.querySelectorAll("[data-not-printed]")) hidden.remove();
  return copy;
}

function setAttributes(element: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}
