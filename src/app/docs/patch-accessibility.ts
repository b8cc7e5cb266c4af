/** What Scalar's markup lacks, by selector: an attribute and its value. */
const ATTRIBUTES = [
  ["aside[role=navigation]", "role", "region"],
  ["header:not([role])", "role", "group"],
  ["button[role=search]", "aria-label", "Search the reference"],
  ["button[role=search]", "role", "button"],
  [".cm-content:not([aria-label])", "aria-label", "Value"],
  ["button.code-copy:not([aria-label])", "aria-label", "Copy"],
  ["button.scalar-code-copy:not([aria-label])", "aria-label", "Copy"],
  // The link to the guides is an icon on a phone.
  ["a[href$='/docs']:not([aria-label])", "aria-label", "Guides"],
  ["ul.endpoints:not([tabindex])", "tabindex", "0"],
  // Scalar's placeholder looks like a key.
  ["input[placeholder^=QUxM]", "placeholder", "cg_…"],
] as const;

/**
 * Adds to an element what its markup lacks for accessibility, now and on every change.
 * @returns a function that stops it
 */
export function patchAccessibility(host: Element): () => void {
  const patchAll = () => {
    for (const [selector, name, value] of ATTRIBUTES)
      for (const element of host.querySelectorAll(selector)) element.setAttribute(name, value);
    for (const button of host.querySelectorAll("button[aria-selected]:not([role])")) {
      button.setAttribute("aria-current", button.getAttribute("aria-selected") ?? "false");
      button.removeAttribute("aria-selected");
    }
  };
  patchAll();
  const observer = new MutationObserver(patchAll);
  observer.observe(host, { subtree: true, childList: true, attributeFilter: ["aria-selected"] });
  return () => observer.disconnect();
}
