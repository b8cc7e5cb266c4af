/** Labels an icon button. */
const setLabel = (name: string) => (element: Element) => element.setAttribute("aria-label", name);

/** Accessibility fixes for Scalar's markup, by selector. */
const PATCHES: [selector: string, mend: (element: Element) => void][] = [
  [
    "button[aria-selected]:not([role])",
    (button) => {
      button.setAttribute("aria-current", button.getAttribute("aria-selected") ?? "false");
      button.removeAttribute("aria-selected");
    },
  ],
  ["aside[role=navigation]", (aside) => aside.setAttribute("role", "region")],
  [
    "button[role=search]",
    (button) => {
      button.removeAttribute("role");
      setLabel("Search the reference")(button);
    },
  ],
  [".cm-content[role=textbox]:not([aria-label])", setLabel("Value")],
  [
    "[role=tablist] button:not([role])",
    (button) => {
      setLabel("More languages")(button);
      button.setAttribute("role", "tab");
      button.setAttribute("aria-selected", "false");
    },
  ],
  ["header:not([role])", (header) => header.setAttribute("role", "group")],
  ["button.code-copy:not([aria-label]), button.scalar-code-copy:not([aria-label])", setLabel("Copy")],
  // Scalar's placeholder looks like a key.
  ["input[placeholder^=QUxM]", (input) => input.setAttribute("placeholder", "cg_…")],
  // The link to the guides is an icon on a phone.
  ["a[href$='/docs']:not([aria-label])", setLabel("Guides")],
  ["ul.endpoints:not([tabindex])", (list) => list.setAttribute("tabindex", "0")],
];

/**
 * Applies the fixes to an element, now and on every change.
 * @returns a function that stops it
 */
export function patchAccessibility(host: Element): () => void {
  const patchAll = () => {
    for (const [selector, patch] of PATCHES)
      for (const element of host.querySelectorAll(selector)) patch(element);
  };
  patchAll();
  const observer = new MutationObserver(patchAll);
  observer.observe(host, { subtree: true, childList: true, attributeFilter: ["aria-selected"] });
  return () => observer.disconnect();
}
