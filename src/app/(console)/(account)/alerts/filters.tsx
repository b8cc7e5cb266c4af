"use client";

import { Group, NativeSelect } from "@mantine/core";
import { SEVERITY_SCALE, type Severity } from "@/features/alerts/rules";
import { formatCount } from "@/ui/format";
import { trpc } from "../../_client/trpc";
import { FilterChip } from "../../_ui/filter-chip";
import { shownName } from "../../_ui/shown-name";
import styles from "./alerts.module.css";

const SEVERITY_CHOICES = [
  { value: "", label: "All severities" },
  ...SEVERITY_SCALE.map(({ severity }) => ({ value: severity, label: severity })),
];

interface FiltersProps {
  severity: Severity | null;
  /** Channel id */
  creator: string | null;
  onSeverity: (severity: string | null) => void;
  onCreator: (channelId: string | null) => void;
}

/** Filters of the inbox, with chips to remove them. */
export function Filters({ severity, creator, onSeverity, onCreator }: FiltersProps) {
  const { data } = trpc.alerts.creators.useQuery();
  const creators = data?.creators ?? [];
  const chosen = creators.find(({ channel_id }) => channel_id === creator);
  return (
    <Group gap="xs" mb="md" role="search" aria-label="Alerts">
      <NativeSelect
        size="xs"
        aria-label="Severity"
        data={SEVERITY_CHOICES}
        value={severity ?? ""}
        onChange={({ currentTarget: { value } }) => onSeverity(value || null)}
      />
      <NativeSelect
        size="xs"
        aria-label="Creator"
        className={styles.creators}
        data={[
          { value: "", label: "All creators" },
          ...creators.map(({ alerts, ...creator }) => ({
            value: creator.channel_id,
            label: `${shownName(creator)} (${formatCount(alerts)})`,
          })),
          ...(creator && !chosen ? [{ value: creator, label: creator }] : []),
        ]}
        value={creator ?? ""}
        onChange={({ currentTarget: { value } }) => onCreator(value || null)}
      />
      {severity && <FilterChip text={severity} onRemove={() => onSeverity(null)} />}
      {creator && <FilterChip text={chosen ? shownName(chosen) : creator} onRemove={() => onCreator(null)} />}
    </Group>
  );
}
