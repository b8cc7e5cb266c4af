"use client";

import { Card, Checkbox, Text, Title } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { FoundCreator } from "@/features/discovery/schema";
import { CreatorName } from "../../_ui/creator-name";
import { getDisplayName } from "../../_ui/names";
import { Count, GrowthRange } from "../../_ui/numbers";
import { ScoreExplanation } from "../../_ui/score-explanation";
import { getMainReason } from "../../_ui/score-parts";
import { ScoreValue } from "../../_ui/score-value";
import { Sparkline } from "../../_ui/sparkline";
import { formatSince, groupCreators } from "./groups";
import styles from "./result-card.module.css";
import { TrackButton } from "./track-button";
import type { RowActions } from "./use-rows";

interface ResultCardProps {
  creator: FoundCreator;
  actions: RowActions;
  onCountry: (country: string) => void;
}

/** A found creator with its figures and score explanation. */
function ResultCard({ creator, actions, onCountry }: ResultCardProps) {
  const { channel_id } = creator;
  const name = getDisplayName(creator);
  const isSelected = actions.isSelected(channel_id);
  return (
    <Card
      component="article"
      withBorder
      padding="sm"
      bg="var(--surface)"
      aria-label={name}
      data-selected={isSelected || undefined}
      className={styles.card}
    >
      <div className={styles.head}>
        <CreatorName creator={creator} isTracked={creator.is_tracked} onCountry={onCountry} />
        {!creator.is_tracked && (
          <Checkbox
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={({ currentTarget: { checked } }) => actions.select([channel_id], checked)}
          />
        )}
      </div>
      <dl className={styles.facts}>
        <Fact name="Subscribers">
          <Count value={creator.subscribers} counts={creator.counts} />
        </Fact>
        <Fact name="7 days">
          <GrowthRange percent={creator.growth_7d_percent} growth={creator.growth} days={7} />
        </Fact>
        <Fact name="30 days">
          {creator.score_basis === "history" ? (
            <Sparkline counts={creator.trend} />
          ) : (
            <span className={styles.since}>{formatSince(creator)}</span>
          )}
        </Fact>
      </dl>
      <div className={styles.foot}>
        <ScoreValue {...creator} />
        <TrackButton
          {...creator}
          refused={actions.refused[channel_id]}
          onTracked={() => actions.onTracked(channel_id)}
        />
      </div>
      <details className={styles.why}>
        <summary>
          {getMainReason(creator) ?? "Why there is no score"}
          <span className="visually-hidden"> Score of {name}</span>
        </summary>
        <ScoreExplanation {...creator} />
      </details>
    </Card>
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

interface ResultCardsProps {
  creators: readonly FoundCreator[];
  actions: RowActions;
  onCountry: (country: string) => void;
}

/** Found creators as cards, in groups. */
export function ResultCards({ creators, actions, onCountry }: ResultCardsProps) {
  return groupCreators(creators).map(({ title, note, creators: group }) => (
    <Fragment key={title}>
      {title && (
        <>
          <Title order={3} size="0.9375rem" mt="lg">
            {title}
          </Title>
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        </>
      )}
      <ul className={styles.cards}>
        {group.map((creator) => (
          <li key={creator.channel_id}>
            <ResultCard creator={creator} actions={actions} onCountry={onCountry} />
          </li>
        ))}
      </ul>
    </Fragment>
  ));
}
