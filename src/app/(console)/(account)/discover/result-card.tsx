"use client";

import { Card, Text, Title } from "@mantine/core";
import { Fragment } from "react";
import { CreatorName } from "../../_ui/creator-name";
import { Fact } from "../../_ui/fact";
import { getDisplayName } from "../../_ui/names";
import { Count, ExpectedRange, GrowthRange } from "../../_ui/numbers";
import { ScoreExplanation } from "../../_ui/score-explanation";
import { ScoreValue } from "../../_ui/score-value";
import { groupCreators } from "./groups";
import styles from "./result-card.module.css";
import { type RowProps, SelectCreator, Trend } from "./row-parts";
import { TrackButton } from "./track-button";
import type { RowActions } from "./use-rows";

/** A found creator with its figures and score explanation. */
function ResultCard({ creator, actions }: RowProps) {
  const name = getDisplayName(creator);
  const isMeasured = creator.score_basis === "history";
  return (
    <Card
      component="article"
      withBorder
      padding="sm"
      bg="var(--surface)"
      aria-label={name}
      data-selected={actions.isSelected(creator.channel_id) || undefined}
      className={styles.card}
    >
      <div className={styles.head}>
        <CreatorName creator={creator} isTracked={creator.is_tracked} onCountry={actions.onCountry} />
        {isMeasured && <Trend creator={creator} className={styles.since} />}
        <SelectCreator creator={creator} actions={actions} />
      </div>
      <dl className={styles.facts}>
        <Fact name="Subscribers">
          <Count value={creator.subscribers} counts={creator.counts} />
        </Fact>
        <Fact name="7 days">
          {isMeasured ? (
            <GrowthRange percent={creator.growth_7d_percent} growth={creator.growth} days={7} />
          ) : (
            <Trend creator={creator} className={styles.since} />
          )}
        </Fact>
        <Fact name="Next 7 days">
          <ExpectedRange range={creator.expected_7d} />
        </Fact>
        <Fact name="Score">
          <ScoreValue {...creator} isBrief />
        </Fact>
      </dl>
      <div className={styles.foot}>
        <details className={styles.why}>
          <summary>
            {creator.reason ?? (creator.score === null ? "Why there is no score" : "No growth measured yet")}
            <span className="visually-hidden"> Score of {name}</span>
          </summary>
          <ScoreExplanation {...creator} />
        </details>
        <TrackButton creator={creator} actions={actions} />
      </div>
    </Card>
  );
}

/** Found creators as cards, in groups. */
export function ResultCards({ actions }: { actions: RowActions }) {
  return groupCreators(actions.rows).map(({ title, note, creators: group }) => (
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
            <ResultCard creator={creator} actions={actions} />
          </li>
        ))}
      </ul>
    </Fragment>
  ));
}
