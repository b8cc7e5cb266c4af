import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { TRPCClientError } from "@trpc/client";
import { useEffect, useState } from "react";
import { getReturnPath, getSignInPath } from "@/features/sessions/rules";
import { toFailure } from "./failure";

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

/** Whether the service answered the latest call of the page. */
export function useReachable(): boolean {
  const queryClient = useQueryClient();
  const [isReachable, setIsReachable] = useState(true);
  useEffect(
    () =>
      listenToCalls(queryClient, ({ action }) => {
        if (action?.type === "success" && !action.manual) setIsReachable(true);
        // "failed" is a try before the last one.
        if (action?.type === "failed" || action?.type === "error")
          setIsReachable(!(action.error instanceof TRPCClientError && !action.error.data));
      }),
    [queryClient],
  );
  return isReachable;
}

/**
 * Redirects to sign-in when a call finds the session ended, and back to the current page or to the one being loaded.
 * The full page load also drops all cached data.
 */
export function useSignInRedirect(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    /** The last link clicked. The URL changes only once its page has loaded. */
    let lastLink: { to: string; from: string } | null = null;
    let isRedirecting = false;
    const redirect = () => {
      isRedirecting = true;
      const path = lastLink?.from === location.href ? lastLink.to : `${location.pathname}${location.search}`;
      location.assign(getSignInPath(path, { ended: true }));
    };
    const onClick = (event: MouseEvent) => {
      const to = getFollowedPath(event);
      if (to === null) return;
      lastLink = { to, from: location.href };
      // The latest link wins.
      if (isRedirecting) redirect();
    };
    const stop = listenToCalls(queryClient, ({ type, action }) => {
      if (type !== "updated" || action?.type !== "error" || isSigningOut(queryClient)) return;
      if (toFailure(action.error).code === "UNAUTHORIZED") redirect();
    });
    // In the capture phase, before the router prevents the default.
    document.addEventListener("click", onClick, { capture: true });
    return () => {
      stop();
      document.removeEventListener("click", onClick, { capture: true });
    };
  }, [queryClient]);
}

/** Whether the reader signs out: answers to other calls then say that the session has ended, which is no news. */
function isSigningOut(queryClient: QueryClient): boolean {
  const findAll = (name: string) => queryClient.getMutationCache().findAll({ mutationKey: [["sessions", name]] });
  return [...findAll("signOut"), ...findAll("endAll")].some(({ state }) => state.status !== "error");
}

/** The path of this site that a click leads to in this tab, or null. */
function getFollowedPath({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): string | null {
  const link = target instanceof Element ? target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.download) return null;
  // These open a new tab or window.
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return null;
  const to = `${link.pathname}${link.search}`;
  return getReturnPath(to) === to ? to : null;
}
