import { returnPath, signInPath } from "@/features/keys/sessions.rules";

/** The link that was followed last, and from where: the address shows it only once its page has come. */
let followed: { to: string; from: string } | null = null;
let isLeaving = false;

/** Notes which links of the page are followed. @returns what ends that */
export function watchLinks(): () => void {
  // Before the router, which keeps the browser from following them itself.
  document.addEventListener("click", noteLink, { capture: true });
  return () => document.removeEventListener("click", noteLink, { capture: true });
}

/**
 * Leaves the page for the one to sign in at, which leads back to where the reader is, or is about to be. Loading a page
 * anew also drops whatever is kept of the key's data.
 */
export function leaveToSignIn(): void {
  isLeaving = true;
  const path = followed?.from === location.href ? followed.to : `${location.pathname}${location.search}`;
  location.assign(signInPath(path, { ended: true }));
}

function noteLink({ target, button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): void {
  const link = target instanceof Element ? target.closest("a") : null;
  if (!link || link.origin !== location.origin || link.target || link.download) return;
  // Those open it elsewhere.
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  const to = `${link.pathname}${link.search}`;
  if (returnPath(to) !== to) return;
  followed = { to, from: location.href };
  // What the reader wants now counts, not what was wanted before.
  if (isLeaving) leaveToSignIn();
}
