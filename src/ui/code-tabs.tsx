"use client";

import { createContext, type ReactNode, useContext, useId, useState } from "react";
import { CodeBlock } from "./code-block";
import styles from "./code-block.module.css";

const Language = createContext<[string | null, (label: string) => void]>([null, () => {}]);

/** Shares the chosen language between the samples of a page. */
export function LanguageChoice({ children }: { children: ReactNode }) {
  return <Language value={useState<string | null>(null)}>{children}</Language>;
}

/** Code in tabs, one sample by language. */
export function CodeTabs({ samples }: { samples: readonly { label: string; text: string }[] }) {
  const name = useId();
  const [wanted, choose] = useContext(Language);
  const shown = samples.find(({ label }) => label === wanted) ?? samples[0];
  if (!shown) return null;
  const tabs = (
    <fieldset className={styles.tabs}>
      <legend className="visually-hidden">Language</legend>
      {samples.map(({ label }) => (
        <label key={label} className={styles.tab}>
          <input type="radio" name={name} checked={label === shown.label} onChange={() => choose(label)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
  return <CodeBlock {...shown} head={tabs} />;
}
