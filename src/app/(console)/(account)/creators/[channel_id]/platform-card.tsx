"use client";

import { Text } from "@mantine/core";
import type { CreatorDetails } from "@/features/creators/schema";
import { formatCount } from "@/ui/format";
import { Card } from "../../../_ui/card";
import { Distance, Instant } from "../../../_ui/times";
import styles from "./creator.module.css";

/** The channel's latest platform numbers. */
export function PlatformCard({
  subscribers,
  views,
  videos,
  last_snapshot_at,
  tracked_since,
}: CreatorDetails) {
  return (
    <Card title="Platform numbers">
      <dl className={styles.facts}>
        <Fact name="Subscribers" value={subscribers} />
        <Fact name="Views" value={views} />
        <Fact name="Videos" value={videos} />
      </dl>
      <Text size="sm" c="dimmed" mt="sm">
        {last_snapshot_at && (
          <>
            Read <Distance at={last_snapshot_at} />.{" "}
          </>
        )}
        Tracked since <Instant at={tracked_since} />.
      </Text>
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === null ? <span className={styles.unknown}>hidden</span> : formatCount(value)}</dd>
    </div>
  );
}
