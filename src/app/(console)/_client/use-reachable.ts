"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isUnanswered } from "./failure";

interface CacheEvent {
  type: string;
  action?: { type: string; error?: unknown; manual?: boolean };
}

/** Whether the service answered the latest call of the page. */
export function useReachable(): boolean {
  const queryClient = useQueryClient();
  const [isReachable, setIsReachable] = useState(true);
  useEffect(() => {
    const onEvent = ({ action }: CacheEvent) => {
      if (action?.type === "success" && !action.manual) setIsReachable(true);
      // "failed" is a try before the last one.
      if (action?.type === "failed" || action?.type === "error") setIsReachable(!isUnanswered(action.error));
    };
    const stopQueries = queryClient.getQueryCache().subscribe(onEvent);
    const stopMutations = queryClient.getMutationCache().subscribe(onEvent);
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient]);
  return isReachable;
}
