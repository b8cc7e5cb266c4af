import { CloseButton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { Dropdown } from "../../../../_ui/dropdown";
import { getDisplayName } from "../../../../_ui/names";
import { LineSample } from "./chart";
import { buildOtherLines, type Charted, getTrend } from "./chart-model";
import styles from "./panel.module.css";
import type { ViewState } from "./view-state";

/** Loaded when first opened. */
const ComparePicker = dynamic(() => import("./compare-picker").then(({ ComparePicker }) => ComparePicker), {
  ssr: false,
});

export interface LinesProps {
  charted: Charted;
  change: (change: Partial<ViewState>) => void;
}

/** The lines of a chart by name, also those that cannot be drawn yet, and a button to add one. The creator's own stays. */
export function Lines({ charted, change }: LinesProps) {
  const { channel_id, days, compared = [] } = charted;
  const own = { id: channel_id, name: getDisplayName(charted), look: 0 } as const;
  const others = buildOtherLines(charted);
  const trend = others.length === 0 ? getTrend(days.map(({ snapshot }) => snapshot?.subscribers ?? null)) : undefined;
  const remove = (id: string) => {
    const kept = compared.map((other) => other.channel_id).filter((other) => other !== id);
    change(id === "before" ? { before: "" } : { with: kept.join() });
  };
  return (
    <ul className={styles.chips} aria-label="Lines of the chart" data-direction={trend}>
      {[own, ...others].map(({ id, name, look }) => (
        <li key={id} className={styles.chip} data-own={look === 0 || undefined}>
          <LineSample look={look} />
          <span className={styles.name}>{name}</span>
          {look !== 0 && (
            <CloseButton size="sm" aria-label={`Remove ${name} from the chart`} onClick={() => remove(id)} />
          )}
        </li>
      ))}
      <li>
        <Dropdown
          className={styles.compare}
          text={
            <>
              <IconPlus size={15} aria-hidden /> Compare
            </>
          }
          title="Compare with"
        >
          <ComparePicker charted={charted} change={change} />
        </Dropdown>
      </li>
    </ul>
  );
}
