import type { QueryClient } from "@tanstack/react-query";

/** What happened to a query or a mutation, as far as it matters here. */
interface CallEvent {
  type: string;
  action?: { type: string; error?: unknown; manual?: boolean };
}

/** Listens to all calls of the page. @returns ends that */
export function listenToCalls(client: QueryClient, listener: (event: CallEvent) => void): () => void {
  const stops = [client.getQueryCache().subscribe(listener), client.getMutationCache().subscribe(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}
