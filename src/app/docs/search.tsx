"use client";

import { type KeyboardEvent, useId, useRef, useState } from "react";
import styles from "./search.module.css";

/** Search in all guides. The index loads with the first use. Arrow keys move between the results. */
export function DocsSearch() {
  const id = useId();
  const root = useRef<HTMLElement>(null);
  const [query, setQuery] = useState("");
  const [sections, setSections] = useState<DocsSection[] | null>(null);
  const isAsked = useRef(false);
  const load = () => {
    if (isAsked.current) return;
    isAsked.current = true;
    fetch("/docs/search.json")
      .then((response) => response.json())
      .then(setSections, () => {
        isAsked.current = false;
      });
  };
  const results = findSections(sections ?? [], query);
  const isOpen = query.trim() !== "" && sections !== null;
  return (
    <search
      ref={root}
      className={styles.search}
      onKeyDown={(event) => onKeyDown(event, root.current, () => setQuery(""))}
    >
      <label htmlFor={id}>Search the guides</label>
      <input
        id={id}
        type="search"
        value={query}
        autoComplete="off"
        onFocus={load}
        onChange={(event) => {
          load();
          setQuery(event.target.value);
        }}
      />
      <p role="status" className={styles.status}>
        {isOpen && (results.length === 0 ? "No matches" : `${results.length} results`)}
      </p>
      {isOpen && results.length > 0 && (
        <ul>
          {results.map(({ guide, heading, href, text }) => (
            <li key={href}>
              <a href={href}>
                <strong>{heading}</strong> <span>{guide}</span>
                <small className="truncate">{text.slice(0, 90)}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
    </search>
  );
}

/** Arrow keys go through the field and the results, Escape clears, Enter in the field opens the first result. */
function onKeyDown(event: KeyboardEvent, root: HTMLElement | null, clear: () => void): void {
  const focusable = [...(root?.querySelectorAll<HTMLElement>("input, a") ?? [])];
  const index = (focusable as (Element | null)[]).indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    event.preventDefault();
    focusable[Math.min(Math.max(index + step, 0), focusable.length - 1)]?.focus();
  }
  if (event.key === "Escape") {
    clear();
    focusable[0]?.focus();
  }
  if (event.key === "Enter" && index === 0) focusable[1]?.click();
}

interface DocsSection {
  guide: string;
  heading: string;
  href: string;
  text: string;
}

const MAX_RESULTS = 8;

/** The sections that have all words of a query, those with a word in their heading first. */
export function findSections(sections: readonly DocsSection[], query: string): DocsSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = sections.flatMap((section) => {
    const heading = `${section.heading} ${section.guide}`.toLowerCase();
    const whole = `${heading} ${section.text.toLowerCase()}`;
    if (!words.every((word) => whole.includes(word))) return [];
    return [{ section, hits: words.filter((word) => heading.includes(word)).length }];
  });
  return found
    .toSorted((one, other) => other.hits - one.hits)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => section);
}
