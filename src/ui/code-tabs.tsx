"use client";

import { createContext, type ReactNode, useContext, useId, useState } from "react";
import { Code } from "./code-block";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button";

interface CodeTabsProps {
  /** One sample per language. */
  samples: readonly { label: string; text: string }[];
}

const Language = createContext<[string | null, (label: string) => void]>([null, () => {}]);

/** Shares the chosen language between the samples of a page. */
export function LanguageChoice({ children }: { children: ReactNode }) {
  return <Language value={useState<string | null>(null)}>{children}</Language>;
}

/** Code in tabs by language. */
export function CodeTabs({ samples }: CodeTabsProps) {
  const name = useId();
  const [wanted, choose] = useContext(Language);
  const shown = samples.find(({ label }) => label === wanted) ?? samples[0];
  if (!shown) return null;
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <fieldset className={styles.tabs}>
          <legend className="visually-hidden">Language</legend>
          {samples.map(({ label }) => (
            <label key={label} className={styles.tab}>
              <input type="radio" name={name} checked={label === shown.label} onChange={() => choose(label)} />
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
