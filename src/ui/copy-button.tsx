"use client";

import { type MouseEvent, useEffect, useState } from "react";
import styles from "./copy-button.module.css";

const SHOWN_MS = 2000;
const WORDS = { ready: "Copy", copied: "Copied", refused: "Use Ctrl+C" } as const;

/** Copies a text and confirms it visibly and to screen readers. @param what tells several buttons apart */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<keyof typeof WORDS>("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>) {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      // Pages served over plain http have no clipboard: select the code instead.
      const code = currentTarget.parentElement?.parentElement?.querySelector("code");
      if (code) getSelection()?.selectAllChildren(code);
      setState("refused");
    }
  }

  return (
    <button type="button" className={styles.copy} onClick={copy}>
      <span aria-live="polite">{WORDS[state]}</span>
      <span className="visually-hidden"> {what}</span>
    </button>
  );
}
