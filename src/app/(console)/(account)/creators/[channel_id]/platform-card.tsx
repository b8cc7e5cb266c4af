"use client";

import { Text } from "@mantine/core";
import { formatCount } from "@/core/format";
import type { CreatorDetails } from "@/features/creators/schema";
import { Card } from "../../../_ui/card";
import { Fact } from "../../../_ui/fact";
import { describeMissing } from "../../../_ui/numbers";
import { Distance, Instant } from "../../../_ui/times";
import styles from "./creator.module.css";

/** The platform's counts of a channel, as of its latest snapshot. */
export function PlatformCard({ counts, subscribers, views, videos, last_snapshot_at, tracked_since }: CreatorDetails) {
  return (
    <Card title="Platform numbers">
      <dl className={styles.facts}>
        {Object.entries({ Subscribers: subscribers, Views: views, Videos: videos }).map(([name, count]) => (
          <Fact key={name} name={name}>
            {count === null ? (
              <span className={styles.unknown}>{describeMissing({ counts })}</span>
            ) : (
              formatCount(count)
            )}
          </Fact>
        ))}
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
