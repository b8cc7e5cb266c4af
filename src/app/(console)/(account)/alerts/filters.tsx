"use client";

import { Group, NativeSelect, Switch } from "@mantine/core";
import { formatCount } from "@/core/format";
import type { InboxFilter } from "@/features/alerts/inbox.schema";
import {
  CAUSE_WORDS,
  CAUSES,
  LABEL_WORDS,
  LABELS,
  OUTCOME_CHOICES,
  type OutcomeChoice,
  SEVERITY_SCALE,
} from "@/features/alerts/rules";
import { trpc } from "../../_client/trpc";
import { FilterChip } from "../../_ui/filter-chip";
import { getDisplayName } from "../../_ui/names";
import styles from "./alerts.module.css";
import type { InboxState } from "./inbox-query";

const OUTCOME_WORDS: Readonly<Record<OutcomeChoice, string>> = {
  held: "Held",
  faded: "Faded",
  unclear: "Unclear",
  pending: "Not graded yet",
};

const CHOICES = {
  severity: [
    { value: "", label: "Any severity" },
    ...SEVERITY_SCALE.map(({ severity }) => ({ value: severity, label: severity })),
  ],
  label: [{ value: "", label: "Any outlook" }, ...LABELS.map((label) => ({ value: label, label: LABEL_WORDS[label] }))],
  cause: [{ value: "", label: "Any cause" }, ...CAUSES.map((cause) => ({ value: cause, label: CAUSE_WORDS[cause] }))],
  outcome: [
    { value: "", label: "Any outcome" },
    ...OUTCOME_CHOICES.map((outcome) => ({ value: outcome, label: OUTCOME_WORDS[outcome] })),
  ],
};
const NAMES = { severity: "Severity", label: "Outlook", cause: "Cause", outcome: "Outcome" } as const;
const KINDS = ["severity", "label", "cause", "outcome"] as const;

interface FiltersProps {
  filter: InboxFilter;
  change: (change: Partial<InboxState>) => void;
}

/** Filters of the inbox, with chips to remove them. */
export function Filters({ filter, change }: FiltersProps) {
  const { data } = trpc.alerts.creators.useQuery();
  const creators = data?.creators ?? [];
  const creator = filter.channel_id;
  const chosen = creators.find(({ channel_id }) => channel_id === creator);
  const narrow = (narrowed: Partial<InboxState>) => change({ ...narrowed, page: "1", open: "" });
  return (
    <Group gap="xs" role="search" aria-label="Alerts" className={styles.filters}>
      {KINDS.map((kind) => (
        <NativeSelect
          key={kind}
          size="xs"
          aria-label={NAMES[kind]}
          data={CHOICES[kind]}
          value={filter[kind] ?? ""}
          onChange={({ currentTarget: { value } }) => narrow({ [kind]: value })}
        />
      ))}
      <NativeSelect
        size="xs"
        aria-label="Creator"
        className={styles.creators}
        data={[
          { value: "", label: "Any creator" },
          ...creators.map(({ alerts, ...other }) => ({
            value: other.channel_id,
            label: `${getDisplayName(other)} (${formatCount(alerts)})`,
          })),
          ...(creator && !chosen ? [{ value: creator, label: creator }] : []),
        ]}
        value={creator ?? ""}
        onChange={({ currentTarget: { value } }) => narrow({ creator: value })}
      />
      <Switch
        size="xs"
        label="Unread only"
        checked={filter.unread}
        onChange={({ currentTarget: { checked } }) => narrow({ unread: checked ? "yes" : "" })}
      />
      {KINDS.map((kind) => {
        const word = CHOICES[kind].find(({ value }) => value !== "" && value === filter[kind])?.label;
        return word && <FilterChip key={kind} text={word} onRemove={() => narrow({ [kind]: "" })} />;
      })}
      {creator && (
        <FilterChip text={chosen ? getDisplayName(chosen) : creator} onRemove={() => narrow({ creator: "" })} />
      )}
    </Group>
  );
}
