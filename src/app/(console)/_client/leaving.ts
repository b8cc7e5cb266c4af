import { returnPath, signInPath } from "@/features/sessions/rules";

/** The last link followed. The URL changes only once its page has loaded. */
let followed: { to: string; from: string } | null = null;
let isLeaving = false;

/** Records followed links. @returns a function that stops it */
export function watchLinks(): () => void {
  // In the capture phase, before the router prevents the default.
  document.addEventListener("click", noteLink, { capture: true });
  return () => document.removeEventListener("click", noteLink, { capture: true });
}

/**
 * Goes to sign-in, which leads back to the current page or the one being loaded. The full page load also drops all
 * cached data.
 */
export function leaveToSignIn(): void {
  isLeaving = true;
  const path = followed?.from === location.href ? followed.to : `${location.pathname}${location.search}`;
  location.assign(signInPath(path, { ended: true }));
}

function noteLink({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): void {
  const link = target instanceof Element ? target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.download) return;
  // These open a new tab or window.
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  const to = `${link.pathname}${link.search}`;
  if (returnPath(to) !== to) return;
  followed = { to, from: location.href };
  // The latest link wins.
  if (isLeaving) leaveToSignIn();
}
