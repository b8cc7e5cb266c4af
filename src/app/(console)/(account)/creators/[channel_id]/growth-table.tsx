"use client";

import { Text } from "@mantine/core";
import { formatCount, formatGrowth, formatQuantity } from "@/core/format";
import type { CreatorDetails } from "@/features/creators/schema";
import { Card } from "../../../_ui/card";
import { Growth, getStaleDay } from "../../../_ui/numbers";
import styles from "./creator.module.css";

type GrowthWindow = CreatorDetails["growth"][number];

/** Growth over 1, 7 and 28 days with the range that rounding allows. */
export function GrowthTable(creator: Pick<CreatorDetails, "growth" | "growth_day" | "status">) {
  const stale = getStaleDay(creator);
  return (
    <Card title="Growth" aside="Calculated by us">
      <table className={`${styles.rows} ${styles.growth}`}>
        <thead>
          <tr>
            <th scope="col">Over</th>
            <th scope="col">Shown</th>
            <th scope="col">True growth</th>
          </tr>
        </thead>
        <tbody>
          {creator.growth.map((window) => (
            <tr key={window.days}>
              <th scope="row">
                <span className={styles.span}>{formatQuantity(window.days, "day")}</span>
                <Counts {...window} />
              </th>
              <td>
                <Growth percent={window.percent} />
              </td>
              <td>
                <Bounds {...window} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt="xs">
        {stale && `The last snapshot is of ${stale}, so no growth is up to date. `}
        From 1,000 the platform rounds counts down to three figures, so the true growth is a range. A dash means
        unknown: no snapshot on that day, or a hidden count.
      </Text>
    </Card>
  );
}

function Counts({ percent, subscribers_before: before, subscribers_after: after }: GrowthWindow) {
  if (percent === null || before === null || after === null) return null;
  return (
    <Text size="xs" c="dimmed">
      {formatCount(before)} → {formatCount(after)}
    </Text>
  );
}

function Bounds({ low, high }: GrowthWindow) {
  if (low === null || high === null) return <Growth percent={null} />;
  if (low === high) return <>{formatGrowth(low)}, exact counts</>;
  return (
    <>
      {formatGrowth(low)} to {formatGrowth(high)}
    </>
  );
}
