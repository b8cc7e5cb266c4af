"use client";

import { useSyncExternalStore } from "react";
import styles from "./shell.module.css";

/** Says that the browser has no connection. What is on the page stays. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(
    onChange,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.offline}>You are offline. The page shows what it last loaded; changes fail.</p>
      )}
    </div>
  );
}

function onChange(changed: () => void): () => void {
  for (const event of ["online", "offline"]) addEventListener(event, changed);
  return () => {
    for (const event of ["online", "offline"]) removeEventListener(event, changed);
  };
}
