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
