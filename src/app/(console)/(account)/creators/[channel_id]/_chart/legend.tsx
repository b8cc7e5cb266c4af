"use client";

import { CloseButton } from "@mantine/core";
import type { ReactNode } from "react";
import type { ChartLine } from "./chart-model";
import { LineSample } from "./line-sample";
import styles from "./panel.module.css";

interface LegendProps {
  lines: readonly Pick<ChartLine, "id" | "name" | "look">[];
  onRemove: (id: string) => void;
  /** Adds another line. */
  children: ReactNode;
}

/** The lines of a chart by name. The first is the creator's own and stays. */
export function Legend({ lines, onRemove, children }: LegendProps) {
  return (
    <ul className={styles.chips} aria-label="Lines of the chart">
      {lines.map(({ id, name, look }) => (
        <li key={id} className={styles.chip} data-own={look === 0 || undefined}>
          <LineSample look={look} />
          <span className={styles.chipName}>{name}</span>
          {look !== 0 && (
            <CloseButton size="sm" aria-label={`Remove ${name} from the chart`} onClick={() => onRemove(id)} />
          )}
        </li>
      ))}
      <li>{children}</li>
    </ul>
  );
}
