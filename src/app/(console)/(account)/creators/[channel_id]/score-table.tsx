import { formatCount, formatGrowth } from "@/core/format";
import type { Creator, CreatorDetails } from "@/features/creators/schema";
import type { ScorePart, ScoreParts } from "@/features/growth/schema";
import { getStaleDay } from "../../../_ui/numbers";
import styles from "./score-table.module.css";
import { Section } from "./section";

/** Why a creator has its score: its parts, which add up to it, and their day when it is not today's. */
export function ScoreTable(creator: CreatorDetails) {
  const { score, score_explanation: explanation, score_parts } = creator;
  const title = score === null ? "Why there is no score" : `Why the score is ${score}`;
  const aside = explanation?.length ? "The parts add up to the score. Track: the most a part can give" : undefined;
  const parts = explanation?.filter(({ max }) => max > 0) ?? [];
  if (parts.length === 0)
    return (
      <Section title={title} aside={aside}>
        <p className={styles.basis}>{describeScoreBasis(creator)}</p>
      </Section>
    );
  const longest = Math.max(...parts.map(({ max }) => max));
  const stale = getStaleDay(creator);
  return (
    <Section title={title} aside={aside}>
      <ul className={styles.parts}>
        {parts.map(({ part, points, max }) => (
          <li key={part}>
            <div>
              <strong>{PART_WORDS[part].name}</strong>
              <span className={styles.text}>{describePart(part, score_parts)}</span>
            </div>
            <span className={styles.track} style={{ width: `${(100 * max) / longest}%` }} aria-hidden>
              <span className={styles.fill} style={{ width: `${(100 * points) / max}%` }} />
            </span>
            <span className={styles.points}>
              <strong>{points}</strong> of {max}
            </span>
          </li>
        ))}
        <li>
          <strong>Score</strong>
          <span />
          <span className={styles.points}>
            <strong>{score}</strong> of 100
          </span>
        </li>
      </ul>
      {stale && <p className={styles.basis}>All values are as of the last snapshot, {stale}.</p>}
    </Section>
  );
}

type Explained = Pick<Creator, "counts" | "score_basis"> & Pick<CreatorDetails, "score_explanation">;

/** The name of each part of a score, and what it means. */
const PART_WORDS: Record<ScorePart["part"], { name: string; text: string }> = {
  recent_pace: { name: "Recent pace", text: "Growth over four weeks, recent days first. Sudden drops count little." },
  last_28_days: { name: "Last 28 days", text: "The average of the past four weeks." },
  views: { name: "Promised by views", text: "Growth that this week’s views point to." },
  persistence: { name: "Persistence", text: "How many of the past four weeks grew." },
  reach: { name: "Reach", text: "Views per subscriber." },
  few_days: { name: "Few days", text: "What a creator with so few days has without growth." },
};

/** The text for a score without parts, or for no score. */
export function describeScoreBasis({ counts, score_basis, score_explanation }: Explained): string {
  if (counts === "unread") return "The channel is not measured yet, so it has no score.";
  if (counts === "hidden") return "The channel hides its subscribers, so it has no score.";
  if (score_basis === "profile")
    return "No growth measured yet: that needs two days with a visible count. Until then we estimate the score from total views. The level stays STABLE.";
  return score_explanation
    ? "The points of the parts add up to the score. Short histories are adjusted so scores compare."
    : "The parts of this score appear after the next daily snapshot.";
}

const WEEKS = 4;

/** A part of a score with its value, in a few words. */
function describePart(part: ScorePart["part"], parts: ScoreParts | null): string {
  if (!parts) return PART_WORDS[part].text;
  const { growth_recent, growth_28d, growth_by_views: promised, persistence, reach } = parts;
  const texts: Partial<Record<ScorePart["part"], string>> = {
    recent_pace: `${formatPerWeek(growth_recent)} over four weeks, recent days first; sudden drops count little`,
    last_28_days: `${formatPerWeek(growth_28d)} on average`,
    views: promised === null ? "Too few days of views are known" : `Its views point to ${formatPerWeek(promised)}`,
    persistence: `Rose in ${formatCount(WEEKS * persistence)} of the last ${WEEKS} weeks`,
    reach: reach === null ? undefined : `${formatCount(Math.round(100 * reach))} views a week per 100 subscribers`,
  };
  return texts[part] ?? PART_WORDS[part].text;
}

/** @param growth the logarithm of a week's growth */
function formatPerWeek(growth: number): string {
  return `${formatGrowth(100 * Math.expm1(growth))} a week`;
}
