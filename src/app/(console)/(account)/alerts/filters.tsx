"use client";

import { Group, Switch } from "@mantine/core";
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
import { FilterChip, FilterSelect } from "../../_ui/filters";
import { getDisplayName } from "../../_ui/names";
import styles from "./alerts.module.css";
import type { InboxState } from "./inbox-query";

const OUTCOME_WORDS: Readonly<Record<OutcomeChoice, string>> = {
  held: "Held",
  faded: "Faded",
  unclear: "Unclear",
  pending: "Not graded yet",
};

const FILTERS = [
  {
    kind: "severity",
    name: "Severity",
    choices: SEVERITY_SCALE.map(({ severity }) => ({ value: severity, label: severity })),
  },
  { kind: "label", name: "Outlook", choices: LABELS.map((label) => ({ value: label, label: LABEL_WORDS[label] })) },
  { kind: "cause", name: "Cause", choices: CAUSES.map((cause) => ({ value: cause, label: CAUSE_WORDS[cause] })) },
  {
    kind: "outcome",
    name: "Outcome",
    choices: OUTCOME_CHOICES.map((outcome) => ({ value: outcome, label: OUTCOME_WORDS[outcome] })),
  },
] as const;

/** Filters of the inbox, with chips to remove them. */
export function Filters({ filter, change }: { filter: InboxFilter; change: (change: Partial<InboxState>) => void }) {
  const { data } = trpc.alerts.creators.useQuery();
  const creators = data?.creators ?? [];
  const creator = filter.channel_id;
  const chosen = creators.find(({ channel_id }) => channel_id === creator);
  const narrow = (narrowed: Partial<InboxState>) => change({ ...narrowed, page: "1", open: "" });
  return (
    <Group gap="xs" role="search" aria-label="Alerts" className={styles.filters}>
      {FILTERS.map(({ kind, name, choices }) => (
        <FilterSelect
          key={kind}
          label={name}
          data={[{ value: "", label: `Any ${name.toLowerCase()}` }, ...choices]}
          value={filter[kind] ?? ""}
          onChoose={(value) => narrow({ [kind]: value })}
        />
      ))}
      <FilterSelect
        label="Creator"
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
        onChoose={(value) => narrow({ creator: value })}
      />
      <Switch
        size="xs"
        label="Unread only"
        checked={filter.unread}
        onChange={({ currentTarget: { checked } }) => narrow({ unread: checked ? "yes" : "" })}
      />
      {FILTERS.map(({ kind, choices }) => {
        const word = choices.find(({ value }) => value === filter[kind])?.label;
        return word && <FilterChip key={kind} text={word} onRemove={() => narrow({ [kind]: "" })} />;
      })}
      {creator && (
        <FilterChip text={chosen ? getDisplayName(chosen) : creator} onRemove={() => narrow({ creator: "" })} />
      )}
    </Group>
  );
}
