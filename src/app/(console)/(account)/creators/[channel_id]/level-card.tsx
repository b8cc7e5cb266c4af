"use client";

import { Text } from "@mantine/core";
import type { CreatorDetails } from "@/features/creators/schema";
import { formatRank } from "@/features/growth/rules";
import { formatChance } from "@/features/growth/wording.rules";
import { getLevelMeaning, LevelBadge } from "../../../_ui/badges";
import { Card } from "../../../_ui/card";
import { describeMissing } from "../../../_ui/numbers";
import { describeScoreBasis } from "../../../_ui/score-parts";
import styles from "./creator.module.css";

/** A creator's score, level, rank and chances. */
export function LevelCard(creator: CreatorDetails) {
  const { score, score_basis, alert_level, percentile, subscribers } = creator;
  const rank = formatRank(percentile, subscribers);
  const chances = [formatChance(7, creator.chance_7d), formatChance(28, creator.chance_28d)].filter(
    (text) => text !== null,
  );
  return (
    <Card title="Calculated by us">
      <div className={styles.level}>
        <Text fz="1.75rem" fw={650} lh={1.2}>
          {score ?? "–"}{" "}
          <Text span c="dimmed" fz="md" fw={400}>
            {score === null ? describeMissing(creator) : "of 100"}
          </Text>
        </Text>
        {score !== null && <LevelBadge level={alert_level} />}
      </div>
      <Text size="sm" mt="xs">
        {score === null ? describeScoreBasis(creator) : `${getLevelMeaning(alert_level)}.`}
      </Text>
      {chances.length > 0 && <Text size="sm">{capitalize(chances.join(", "))}.</Text>}
      {rank && <Text size="sm">In the {rank}.</Text>}
      {score !== null && score_basis === "profile" && (
        <Text size="sm" c="dimmed" mt={4}>
          Estimated from total views. No growth measured yet.
        </Text>
      )}
    </Card>
  );
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
