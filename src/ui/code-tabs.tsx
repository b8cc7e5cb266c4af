"use client";

import { useId, useSyncExternalStore } from "react";
import { Code } from "./code-block";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button";

interface CodeTabsProps {
  /** One sample per language. */
  samples: readonly { label: string; text: string }[];
}

/** The last chosen language, shared by all samples. */
let chosen: string | null = null;
const listeners = new Set<() => void>();

function choose(label: string): void {
  chosen = label;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Code in tabs by language. A choice applies to the whole page. */
export function CodeTabs({ samples }: CodeTabsProps) {
  const name = useId();
  const wanted = useSyncExternalStore(
    subscribe,
    () => chosen,
    () => null,
  );
  const shown = samples.find(({ label }) => label === wanted) ?? samples[0];
  if (!shown) return null;
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <fieldset className={styles.tabs}>
          <legend className="visually-hidden">Language</legend>
          {samples.map(({ label }) => (
            <label key={label} className={styles.tab}>
              <input
                type="radio"
                name={name}
                checked={label === shown.label}
                onChange={() => choose(label)}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <CopyButton text={shown.text} what={shown.label} />
      </div>
      <Code label={shown.label} text={shown.text} />
    </div>
  );
}
