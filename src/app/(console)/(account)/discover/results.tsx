"use client";

import { Alert, Text, Title } from "@mantine/core";
import type { ExplainedDiscovery } from "@/features/discovery/schema";
import { formatQuantity } from "@/ui/format";
import { EmptyState } from "../../_ui/empty-state";
import { Distance, Instant } from "../../_ui/times";
import styles from "./discover.module.css";
import { ResultCard } from "./result-card";

/** The creators of a niche, best score first. */
export function Results({ niche, as_of, hint, creators, appUrl }: ExplainedDiscovery & { appUrl: string }) {
  return (
    <section aria-labelledby="found">
      <Title order={2} size="h4" id="found">
        {niche}
      </Title>
      <Text size="sm" c="dimmed" role="status">
        {formatQuantity(creators.length, "creator")}, best score first.{" "}
        {as_of && (
          <>
            Updated <Distance at={as_of} /> (<Instant at={as_of} />
            ).
          </>
        )}
      </Text>
      <Text size="xs" c="dimmed" mb="sm">
        Subscriber counts come from the platform. Growth, score and level are our own.
      </Text>
      {hint && (
        <Alert variant="default" mb="sm" role="note">
          {hint}
        </Alert>
      )}
      {creators.length === 0 ? (
        <EmptyState
          title="No creators match"
          text="Try another niche or a wider range of subscribers."
          command={`curl -H "X-API-Key: <API_KEY>" \\\n  "${appUrl}/api/discover?niche=${encodeURIComponent(niche)}"`}
        />
      ) : (
        <ul className={styles.results}>
          {creators.map((creator) => (
            <li key={creator.channel_id}>
              <ResultCard {...creator} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
