import { Skeleton, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { FailureNotice } from "./failure-notice";

interface QueryStateProps<Data> {
  query: Pick<UseQueryResult<Data, unknown>, "data" | "error" | "isPlaceholderData" | "fetchStatus" | "refetch">;
  /** As large as the content, so that nothing shifts. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

const Settling = createContext(false);

/** Whether the data around a component answer an earlier filter or order while those asked for are on their way. */
export const useIsSettling = () => useContext(Settling);

/** Shows a query's data, dimmed while newer ones are on their way; else its error, else the skeleton. */
export function QueryState<Data>({ query, skeleton, children }: QueryStateProps<Data>) {
  // Without a connection a query waits instead of failing.
  const isPaused = query.fetchStatus === "paused";
  const isOld = query.isPlaceholderData;
  if (query.data !== undefined && !(isPaused && isOld))
    return (
      <div style={{ opacity: isOld ? 0.5 : undefined }} aria-busy={isOld}>
        <Settling value={isOld}>{children(query.data)}</Settling>
      </div>
    );
  if (query.error || isPaused) return <FailureNotice error={query.error} retry={() => query.refetch()} />;
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
