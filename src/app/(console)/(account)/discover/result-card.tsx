"use client";

import { Anchor, Card, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import type { ExplainedDiscovery } from "@/features/discovery/schema";
import { standingText } from "@/features/growth/rules";
import { LevelBadge } from "../../_ui/badges";
import { Count, Growth, staleDay } from "../../_ui/numbers";
import { ScoreExplanation } from "../../_ui/score-explanation";
import styles from "./discover.module.css";
import { TrackButton } from "./track-button";

export type FoundCreator = ExplainedDiscovery["creators"][number];

/** A found creator with its figures and score explanation. */
export function ResultCard(creator: FoundCreator) {
  const { name, score, percentile, subscribers } = creator;
  const stale = staleDay(creator);
  const standing = standingText(percentile, subscribers);
  return (
    <Card component="article" withBorder padding="md" bg="var(--surface)" aria-label={name}>
      <div className={styles.head}>
        <div className={styles.who}>
          <Title order={3} size="0.9375rem">
            <Name {...creator} />
          </Title>
          <Text size="xs" c="dimmed">
            {creator.handle}
          </Text>
        </div>
        <TrackButton {...creator} />
      </div>
      <dl className={styles.facts}>
        <Fact name="Subscribers">
          <Count value={subscribers} counts={creator.counts} />
        </Fact>
        <Fact name="1 day">
          <Growth percent={creator.growth_1d_percent} />
        </Fact>
        <Fact name="7 days">
          <Growth percent={creator.growth_7d_percent} />
        </Fact>
        <Fact name={score !== null && creator.score_basis === "profile" ? "Score, estimated" : "Score"}>
          {score ?? "–"} {score !== null && <LevelBadge level={creator.alert_level} />}
        </Fact>
      </dl>
      {stale && (
        <Text size="sm" c="dimmed" mb={4}>
          Last snapshot {stale}: growth is not up to date.
        </Text>
      )}
      {standing && (
        <Text size="sm" mb={4}>
          In the {standing}
        </Text>
      )}
      <details className={styles.why}>
        <summary>
          Why {score ?? "no score"}?<span className="visually-hidden"> Score of {creator.name}</span>
        </summary>
        <ScoreExplanation {...creator} />
      </details>
    </Card>
  );
}

/** Links to the creator's page if tracked, else to the channel. */
function Name({ channel_id, name, url, is_tracked }: FoundCreator) {
  if (is_tracked)
    return (
      <Anchor component={Link} href={`/creators/${channel_id}`} prefetch={false} c="inherit" inherit>
        {name}
      </Anchor>
    );
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" c="inherit" inherit>
      {name}
      <span className="visually-hidden"> on YouTube (in a new tab)</span>
    </Anchor>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
