import { getReturnPath, getSignInPath } from "@/features/sessions/rules";

/** The last link clicked. The URL changes only once its page has loaded. */
let lastLink: { to: string; from: string } | null = null;
let isRedirecting = false;

/** Records clicked links. @returns a function that stops it */
export function watchLinks(): () => void {
  // In the capture phase, before the router prevents the default.
  document.addEventListener("click", recordLink, { capture: true });
  return () => document.removeEventListener("click", recordLink, { capture: true });
}

/**
 * Redirects to sign-in and back to the current page or the one being loaded. The full page load also drops all
 * cached data.
 */
export function redirectToSignIn(): void {
  isRedirecting = true;
  const path = lastLink?.from === location.href ? lastLink.to : `${location.pathname}${location.search}`;
  location.assign(getSignInPath(path, { ended: true }));
}

function recordLink({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): void {
  const link = target instanceof Element ? target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.download) return;
  // These open a new tab or window.
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  const to = `${link.pathname}${link.search}`;
  if (getReturnPath(to) !== to) return;
  lastLink = { to, from: location.href };
  // The latest link wins.
  if (isRedirecting) redirectToSignIn();
}
