import type { CreatorDetails } from "@/features/creators/schema";
import { ScoreExplanation } from "../../../_ui/score-explanation";
import { Section } from "./section";

/** Why a creator has its score. */
export function ScoreTable(creator: CreatorDetails) {
  const { score, score_explanation: parts } = creator;
  const title = score === null ? "Why there is no score" : `Why the score is ${score}`;
  const aside = parts?.length ? "The parts add up to the score. Track: the most a part can give" : undefined;
  return (
    <Section title={title} aside={aside}>
      <ScoreExplanation {...creator} />
    </Section>
  );
}
