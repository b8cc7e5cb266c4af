"use client";

import { Button, Group, NativeSelect } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { SEVERITY_SCALE, type Severity } from "@/features/alerts/rules";
import { formatCount } from "@/ui/format";
import { trpc } from "../../_client/trpc";
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

/** What the inbox is narrowed to: chosen from lists, removed by chips. */
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
          ...creators.map(({ channel_id, name, alerts }) => ({
            value: channel_id,
            label: `${name} (${formatCount(alerts)})`,
          })),
          ...(creator && !chosen ? [{ value: creator, label: creator }] : []),
        ]}
        value={creator ?? ""}
        onChange={({ currentTarget: { value } }) => onCreator(value || null)}
      />
      {severity && <Chip text={severity} onRemove={() => onSeverity(null)} />}
      {creator && <Chip text={chosen?.name ?? creator} onRemove={() => onCreator(null)} />}
    </Group>
  );
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button
      variant="light"
      size="compact-sm"
      radius="xl"
      className={styles.chip}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      <span className="visually-hidden">Remove the filter </span>
      <span className={styles.clipped}>{text}</span>
    </Button>
  );
}
