"use client";

import { Table } from "@mantine/core";
import { type Day, startOfDay } from "@/core/time";
import { formatCount, formatDay } from "@/ui/format";
import styles from "./creator.module.css";
import type { ReadingDay } from "./reading-days";

interface ReadingTableProps {
  days: readonly ReadingDay[];
  alertDays: readonly Day[];
}

/** The charted numbers as a table, newest day first. */
export function ReadingTable({ days, alertDays }: ReadingTableProps) {
  return (
    <details className={styles.table}>
      <summary>View as table</summary>
      <Table stickyHeader={false}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day (UTC)</Table.Th>
            <Table.Th scope="col">Subscribers</Table.Th>
            <Table.Th scope="col">Views</Table.Th>
            <Table.Th scope="col">Videos</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, reading }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row">
                {formatDay(startOfDay(day))}
                {alertDays.includes(day) && " ▲ alert"}
              </Table.Th>
              {reading ? (
                <>
                  <Cell count={reading.subscribers} />
                  <Cell count={reading.views} />
                  <Cell count={reading.videos} />
                </>
              ) : (
                <Table.Td colSpan={3} className={styles.unknown}>
                  no reading
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

function Cell({ count }: { count: number | null }) {
  if (count === null) return <Table.Td className={styles.unknown}>hidden</Table.Td>;
  return <Table.Td>{formatCount(count)}</Table.Td>;
}
