import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { listenToCalls } from "./calls";
import { isUnanswered } from "./failure";

/** Whether the service answered the latest call of the page. */
export function useReachable(): boolean {
  const queryClient = useQueryClient();
  const [isReachable, setIsReachable] = useState(true);
  useEffect(
    () =>
      listenToCalls(queryClient, ({ action }) => {
        if (action?.type === "success" && !action.manual) setIsReachable(true);
        // "failed" is a try before the last one.
        if (action?.type === "failed" || action?.type === "error") setIsReachable(!isUnanswered(action.error));
      }),
    [queryClient],
  );
  return isReachable;
}
