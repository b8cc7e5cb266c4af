import type { ServiceStatus } from "./status";

const LABEL = "daily run";
/** Pixels of a letter at 11 px. `textLength` fits any font into them. */
const LETTER = 6.5;
const PADDING = 6;

/** A badge with the state of the daily run, as SVG. */
export function renderBadge({ run_overdue, runs }: Pick<ServiceStatus, "run_overdue" | "runs">): string {
  const [state, color] = run_overdue
    ? ["overdue", "#b42318"]
    : runs.length > 0
      ? ["on time", "#1a7f37"]
      : ["none yet", "#57606a"];
  const [left, right] = [LABEL, state].map((text) => text.length * LETTER + 2 * PADDING) as [number, number];
  const formatText = (text: string, x: number, width: number) =>
    `<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}">${text}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${state}"><title>${LABEL}: ${state}</title><rect width="${left + right}" height="20" rx="3" fill="${color}"/><path d="M3 0h${left - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3" fill="#3b4148"/><g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">${formatText(LABEL, 0, left)}${formatText(state, left, right)}</g></svg>`;
}
