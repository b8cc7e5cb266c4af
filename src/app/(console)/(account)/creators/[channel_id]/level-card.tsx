"use client";

import { Text } from "@mantine/core";
import type { CreatorDetails } from "@/features/creators/schema";
import { standingText } from "@/features/growth/rules";
import { chanceText } from "@/features/growth/wording.rules";
import { LevelBadge, levelMeaning } from "../../../_ui/badges";
import { Card } from "../../../_ui/card";
import { missingText } from "../../../_ui/numbers";
import { scoreBasisText } from "../../../_ui/score-parts";
import styles from "./creator.module.css";

/** What we make of a creator: score, level and standing. */
export function LevelCard(creator: CreatorDetails) {
  const { score, score_basis, alert_level, percentile, subscribers } = creator;
  const standing = standingText(percentile, subscribers);
  const chances = [chanceText(7, creator.chance_7d), chanceText(28, creator.chance_28d)].filter(
    (text) => text !== null,
  );
  return (
    <Card title="Calculated by us">
      <div className={styles.level}>
        <Text fz="1.75rem" fw={650} lh={1.2}>
          {score ?? "–"}{" "}
          <Text span c="dimmed" fz="md" fw={400}>
            {score === null ? missingText(creator) : "of 100"}
          </Text>
        </Text>
        {score !== null && <LevelBadge level={alert_level} />}
      </div>
      <Text size="sm" mt="xs">
        {score === null ? scoreBasisText(creator) : `${levelMeaning(alert_level)}.`}
      </Text>
      {chances.length > 0 && <Text size="sm">{capital(chances.join(", "))}.</Text>}
      {standing && <Text size="sm">In the {standing}.</Text>}
      {score !== null && score_basis === "profile" && (
        <Text size="sm" c="dimmed" mt={4}>
          Estimated from total views. No growth measured yet.
        </Text>
      )}
    </Card>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
