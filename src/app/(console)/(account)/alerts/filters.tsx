import type { ReactNode } from "react";
import { formatCount } from "@/core/format";
import type { InboxSummary } from "@/features/alerts/inbox.service";
import type { InboxFilter } from "@/features/alerts/query.schema";
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
import { Chip, FilterSelect } from "../../_ui/filters";
import { getDisplayName } from "../../_ui/names";
import styles from "./filters.module.css";
import { DEFAULTS, type InboxState } from "./inbox-query";

const OUTCOME_WORDS: Readonly<Record<OutcomeChoice, string>> = {
  held: "Held",
  faded: "Faded",
  unclear: "Unclear",
  pending: "Not graded yet",
};

const CHIPS = {
  severity: SEVERITY_SCALE.map(({ severity: value, color }) => ({ value, text: toWord(value), color })),
  outcome: OUTCOME_CHOICES.map((value) => ({ value, text: OUTCOME_WORDS[value], color: null })),
  cause: CAUSES.map((value) => ({ value, text: CAUSE_WORDS[value], color: null })),
};

function toWord(severity: string): string {
  return severity[0] + severity.slice(1).toLowerCase();
}

interface FiltersProps {
  filter: InboxFilter;
  isFiltered: boolean;
  summary: InboxSummary;
  change: (change: Partial<InboxState>) => void;
}

/**
 * Filters of the inbox as chips. Each says how many alerts it would show, with the other filters as they are; those of
 * none are left out.
 */
export function Filters({ filter, isFiltered, summary, change }: FiltersProps) {
  const narrow = (narrowed: Partial<InboxState>) => change({ ...narrowed, page: "1", open: "" });
  const chips = (kind: keyof typeof CHIPS) =>
    CHIPS[kind].map(({ value, text, color }) => {
      const isOn = filter[kind] === value;
      const count = summary[kind][value] ?? 0;
      if (count === 0 && !isOn) return null;
      return (
        <Chip key={value} isOn={isOn} count={count} onClick={() => narrow({ [kind]: isOn ? "" : value })}>
          {color && <i className={styles.square} style={{ backgroundColor: color }} />}
          {text}
        </Chip>
      );
    });
  return (
    <search aria-label="Alerts" className={styles.filters}>
      <Row name="Show">
        <Chip isOn={!isFiltered} count={summary.total} onClick={() => change(DEFAULTS)}>
          All
        </Chip>
        <Chip
          isOn={filter.unread}
          count={summary.unread}
          onClick={() => narrow({ unread: filter.unread ? "" : "yes" })}
        >
          Unread
        </Chip>
        <span className={styles.rule} />
        {chips("severity")}
        <span className={styles.rule} />
        {chips("outcome")}
      </Row>
      <Row name="Cause">
        {chips("cause")}
        <span className={styles.rule} />
        <Choices filter={filter} summary={summary} narrow={narrow} />
      </Row>
    </search>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <fieldset aria-label={name} className={styles.row}>
      <span className={styles.name} aria-hidden>
        {name}
      </span>
      <div className={styles.chips}>{children}</div>
    </fieldset>
  );
}

interface ChoicesProps extends Pick<FiltersProps, "filter" | "summary"> {
  narrow: (narrowed: Partial<InboxState>) => void;
}

function Choices({ filter, summary, narrow }: ChoicesProps) {
  const creators = trpc.alerts.creators.useQuery().data?.creators ?? [];
  const lists = trpc.lists.all.useQuery().data?.lists ?? [];
  const { channel_id: creator, list } = filter;
  const isKnown = creators.some(({ channel_id }) => channel_id === creator);
  return (
    <>
      <FilterSelect
        label="Outlook"
        any="Outlook"
        data={LABELS.map((label) => ({
          value: label,
          label: `${LABEL_WORDS[label]} (${formatCount(summary.label[label] ?? 0)})`,
        }))}
        value={filter.label ?? ""}
        onChoose={(label) => narrow({ label })}
      />
      {(lists.length > 0 || list) && (
        <FilterSelect
          label="List"
          any="List"
          data={lists.map(({ id, name }) => ({ value: id, label: name }))}
          value={list ?? ""}
          onChoose={(chosen) => narrow({ list: chosen })}
        />
      )}
      <FilterSelect
        label="Creator"
        any="Creator"
        data={[
          ...creators.map(({ alerts, ...other }) => ({
            value: other.channel_id,
            label: `${getDisplayName(other)} (${formatCount(alerts)})`,
          })),
          ...(creator && !isKnown ? [{ value: creator, label: creator }] : []),
        ]}
        value={creator ?? ""}
        onChoose={(chosen) => narrow({ creator: chosen })}
      />
    </>
  );
}
