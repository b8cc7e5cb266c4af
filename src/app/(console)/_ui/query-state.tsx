"use client";

import { Skeleton, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { FailureNotice } from "./failure-notice";

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch(): unknown;
}

interface QueryStateProps<Data> {
  query: Query<Data>;
  /** As large as the content, so that nothing shifts. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** Shows a query's data, else its error, else the skeleton. */
export function QueryState<Data>({ query, skeleton, children }: QueryStateProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <FailureNotice error={query.error} retry={() => query.refetch()} />;
  return (
    <div aria-busy="true">
      <span className="visually-hidden">Loading</span>
      {skeleton}
    </div>
  );
}

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
