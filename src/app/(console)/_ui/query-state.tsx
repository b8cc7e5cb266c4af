import { Alert, Button, Code, Skeleton, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext } from "react";
import { toFailure } from "../_client/failure";

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

/** Shows an error with its request ID and, where the same call may succeed later, a retry. @param cost of the retry */
export function FailureNotice({ error, retry, cost }: { error: unknown; retry?: () => void; cost?: string }) {
  const { message, requestId } = toFailure(error);
  return (
    <Alert role="alert" variant="default" title="Something went wrong">
      <Text size="sm">{message}</Text>
      {requestId && (
        <Text size="sm" c="dimmed" mt={4}>
          Request ID: <Code>{requestId}</Code>
        </Text>
      )}
      {retry && (
        <Button variant="default" size="xs" mt="sm" onClick={retry}>
          Try again{cost && ` (${cost})`}
        </Button>
      )}
    </Alert>
  );
}
