"use client";

import type { ReactNode } from "react";
import { FailureNotice } from "./failure-notice";

interface Query<Data> {
  data: Data | undefined;
  error: unknown;
  refetch(): unknown;
}

interface QueryStateProps<Data> {
  query: Query<Data>;
  /** As large as what will stand there, so that nothing moves. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What a query has come to: its data, however old, else its failure, else that it is under way. */
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
