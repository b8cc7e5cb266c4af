import { Skeleton, Stack } from "@mantine/core";

/** In place of rows that load, as large as these. */
export function SkeletonRows({ count, height, mih }: { count: number; height: number; mih?: number }) {
  return (
    <Stack gap={1} mih={mih} aria-busy="true">
      {Array.from({ length: count }, (_, row) => `row ${row}`).map((row) => (
        <Skeleton key={row} height={height} radius={4} />
      ))}
    </Stack>
  );
}
