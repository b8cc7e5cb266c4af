"use client";

import dynamic from "next/dynamic";
import { Dropdown } from "../../_ui/dropdown";
import styles from "./lists.module.css";

/** Loaded when first opened. */
const Views = dynamic(() => import("./views").then(({ Views }) => Views), { ssr: false });

interface SavedViewsProps {
  /** @param query of the overview's URL */
  onApply: (query: string) => void;
}

/** The key's saved views of the overview: applies, saves and deletes them. */
export function SavedViews({ onApply }: SavedViewsProps) {
  return (
    <Dropdown text="Saved views ▾" title="Saved views" className={styles.tool}>
      {(close) => (
        <Views
          onApply={(query) => {
            close();
            onApply(query);
          }}
        />
      )}
    </Dropdown>
  );
}
