import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { systemClock, toUtcDay } from "@/core/time";
import type { Report } from "./report";
import { escapeXml } from "./report";

const FILE = "bench/history.json";
const PAGE = "bench/history.html";
/** A figure this much further from its goal than in the entry before is a loss. */
const LOSS = 0.9;
const KEPT = 200;

const Entry = z.object({
  commit: z.string(),
  day: z.iso.date(),
  load: z.number(),
  /** By goal: what was seen, and how far the goal was reached; met from 1 on. */
  goals: z.record(z.string(), z.object({ seen: z.string(), reached: z.number().nullable() })),
});
type Entry = z.output<typeof Entry>;

/** Adds the figures of this commit to the history and draws its page. The parts not measured now keep their last figures. */
export function keepHistory(load: number, reports: readonly Report[]): void {
  const earlier = existsSync(FILE) ? z.array(Entry).parse(JSON.parse(readFileSync(FILE, "utf8"))) : [];
  const commit = git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain", "-uno") ? "+" : "");
  const now = reports.flatMap(({ goals }) =>
    goals.map(({ goal, seen, reached }) => [goal, { seen, reached }]),
  );
  const before = earlier.find((entry) => entry.commit === commit);
  const entry: Entry = {
    commit,
    day: toUtcDay(systemClock.now()),
    load,
    goals: { ...before?.goals, ...Object.fromEntries(now) },
  };
  const history = [...earlier.filter((one) => one.commit !== commit), entry].slice(-KEPT);
  writeFileSync(FILE, `${JSON.stringify(history, null, 1)}\n`);
  writeFileSync(PAGE, page(history));
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8" }).trim();
}

function page(history: readonly Entry[]): string {
  const names = [...new Set(history.flatMap(({ goals }) => Object.keys(goals)))];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Benchmark history</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color-scheme: light dark; }
td, th { padding: 4px 12px; text-align: left; border-bottom: 1px solid #8884; }
.lost { color: #d33; font-weight: 600; } svg { display: block; }
</style>
<h1>Benchmark history</h1>
<p>${history.length} commits, newest: ${escapeXml(history.at(-1)?.commit ?? "none")}. The dashed line is the goal; higher is better.</p>
<table><tr><th>goal</th><th>newest</th><th>before</th><th>by commit</th></tr>
${names.map((name) => row(name, history)).join("\n")}
</table></html>\n`;
}

function row(name: string, history: readonly Entry[]): string {
  const seen = history.flatMap(({ commit, goals }) => {
    const figure = goals[name];
    return figure ? [{ commit, ...figure }] : [];
  });
  const [last, before] = [seen.at(-1), seen.at(-2)];
  const isLost = (last?.reached ?? 0) < LOSS * (before?.reached ?? 0);
  const state = isLost ? ' class="lost"' : "";
  return `<tr><td>${escapeXml(name)}</td><td${state}>${escapeXml(last?.seen ?? "")}${(last?.reached ?? 0) < 1 ? ", not met" : ""}</td>
<td>${escapeXml(before?.seen ?? "")}</td><td>${line(seen)}</td></tr>`;
}

const WIDTH = 240;
const HEIGHT = 36;

/** How far the goal was reached, by commit: the goal is in the middle, twice the goal at the top. */
function line(seen: readonly { commit: string; seen: string; reached: number | null }[]): string {
  const points = seen.map(({ commit, seen: figure, reached }, index) => ({
    x: 6 + (index * (WIDTH - 12)) / Math.max(1, seen.length - 1),
    y: HEIGHT - 3 - (Math.min(Math.max(reached ?? 0, 0), 2) / 2) * (HEIGHT - 6),
    title: `${commit}: ${figure}`,
  }));
  const dots = points.map(
    ({ x, y, title }) =>
      `<circle cx="${x}" cy="${y}" r="2.5" fill="currentColor"><title>${escapeXml(title)}</title></circle>`,
  );
  return `<svg width="${WIDTH}" height="${HEIGHT}"><path d="M0 ${HEIGHT / 2}H${WIDTH}" stroke="#888" stroke-dasharray="3 3"/>
<polyline fill="none" stroke="currentColor" points="${points.map(({ x, y }) => `${x},${y}`).join(" ")}"/>${dots.join("")}</svg>`;
}
