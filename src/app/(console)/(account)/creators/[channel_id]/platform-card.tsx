"use client";

import { Text } from "@mantine/core";
import { formatCount } from "@/core/format";
import type { CreatorDetails } from "@/features/creators/schema";
import { Card } from "../../../_ui/card";
import { describeMissing } from "../../../_ui/numbers";
import { Distance, Instant } from "../../../_ui/times";
import styles from "./creator.module.css";

/** The platform's counts of a channel, as of its latest snapshot. */
export function PlatformCard({ counts, subscribers, views, videos, last_snapshot_at, tracked_since }: CreatorDetails) {
  return (
    <Card title="Platform numbers">
      <dl className={styles.facts}>
        <Fact name="Subscribers" value={subscribers} counts={counts} />
        <Fact name="Views" value={views} counts={counts} />
        <Fact name="Videos" value={videos} counts={counts} />
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

interface FactProps extends Pick<CreatorDetails, "counts"> {
  name: string;
  value: number | null;
}

function Fact({ name, value, counts }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value === null ? <span className={styles.unknown}>{describeMissing({ counts })}</span> : formatCount(value)}
      </dd>
    </div>
  );
}
