"use client";

import { Alert, Anchor, Button } from "@mantine/core";
import { useRouter } from "next/navigation";
import { formatCount, formatQuantity } from "@/core/format";
import { parseReference } from "@/features/creators/addresses.rules";
import type { ExplainedDiscovery } from "@/features/discovery/service";
import { trpc } from "../../_client/trpc";
import { EmptyState } from "../../_ui/empty-state";
import { Expected } from "../../_ui/times";
import { requestDiscovery } from "../_add/initial-text";
import styles from "./discover.module.css";

interface NoticeProps {
  answer: ExplainedDiscovery;
  onSearch: (niche: string) => void;
}

/** The notice above results: a related niche, or a hint. */
export function Notice({ answer, onSearch }: NoticeProps) {
  const { niche, niche_status, related_niche, expected_at, hint } = answer;
  if (niche_status === "related")
    return (
      <Alert variant="default" mb="sm" role="note">
        “{niche}” is queued
        {expected_at && (
          <>
            , ready by <Expected at={expected_at} />
          </>
        )}
        . Meanwhile, these are the creators of “{related_niche}”.
      </Alert>
    );
  // Without creators the page says it in their place.
  if (!hint || answer.pagination.total === 0) return null;
  return (
    <Alert variant="default" mb="sm" role="note">
      <Hint answer={answer} onSearch={onSearch} />
    </Alert>
  );
}

function Hint({ answer: { hint, suggested_niche: suggested }, onSearch }: NoticeProps) {
  if (suggested === null) return hint;
  return (
    <>
      Did you mean “
      <Anchor component="button" type="button" inherit onClick={() => onSearch(suggested)}>
        {suggested}
      </Anchor>
      ”?
    </>
  );
}

interface NoCreatorsProps extends NoticeProps {
  /** The niche as it was typed: the answer has it in lower case, which breaks a channel id. */
  typed: string;
}

/** Why an answer has no creators, and what to do. Never the filters, which the reader sees. */
export function NoCreators({ answer, typed, onSearch }: NoCreatorsProps) {
  const router = useRouter();
  const { niche, niche_status, expected_at, suggested_niche } = answer;
  if (!["other", "none"].includes(parseReference(typed).kind))
    return (
      <EmptyState title={`“${typed}” is a channel`} text="Track it to see how it grows.">
        <Button onClick={() => router.push(requestDiscovery("channels", typed))}>Track {typed}</Button>
      </EmptyState>
    );
  if (niche_status !== "queued") {
    const advice = "Try another spelling, a broader niche, or one of these.";
    const text = suggested_niche ? <Hint answer={answer} onSearch={onSearch} /> : advice;
    return <EmptyState title={`No creators found for “${niche}”`} text={text} />;
  }
  const text = expected_at ? (
    <>
      Ready by <Expected at={expected_at} />. Meanwhile, try one of these.
    </>
  ) : (
    "The queue of new niches is full. Search it again in a few days, or try one of these now."
  );
  return <EmptyState title={`“${niche}” is queued`} text={text} />;
}

export interface UnknownNiche {
  niche: string;
  /** A known niche that may be meant. */
  suggested: string | null;
}

/** Asks before a request is spent on a new niche, and links the known niche with a similar name. */
export function UnknownNotice({
  niche,
  suggested,
  onSearch,
}: UnknownNiche & { onSearch: (niche: string, isConfirmed?: boolean) => void }) {
  const { data: allowance } = trpc.discovery.allowance.useQuery();
  const left = allowance ? allowance.new_niches_limit - allowance.new_niches_today : 0;
  const cost = left > 0 ? `1 of ${formatQuantity(left, "new niche")}` : "queued: no new niche left today";
  const link = (text: string, run: () => void) => (
    <Anchor component="button" type="button" inherit fw={600} onClick={run}>
      {text}
    </Anchor>
  );
  return (
    <Alert variant="default" mb="md">
      {suggested ? <>Did you mean {link(suggested, () => onSearch(suggested))}?</> : <>“{niche}” is a new niche.</>}{" "}
      {link(`Search “${niche}”${suggested ? " anyway" : ""}`, () => onSearch(niche, true))} (1 request, {cost})
    </Alert>
  );
}

/** The new niches of today, for the head of the page. */
export function AllowanceNote() {
  const { data: allowance } = trpc.discovery.allowance.useQuery();
  // A line of its height, so that nothing shifts.
  if (!allowance) return <p className={styles.allowance}>&nbsp;</p>;
  const { new_niches_limit: limit, new_niches_today: used } = allowance;
  const left = Math.max(0, limit - used);
  return (
    <p className={styles.allowance} title="A niche is new when it has no creators here yet. Others answer at once.">
      <span className={styles.meter} aria-hidden>
        {Array.from({ length: limit }, (_, index) => `niche ${index}`).map((niche, index) => (
          <i key={niche} data-left={index < left || undefined} />
        ))}
      </span>
      <span>
        <strong>
          {formatCount(left)} of {formatQuantity(limit, "new niche")}
        </strong>{" "}
        left today
        {left === 0 && "; more wait in a queue"}
      </span>
    </p>
  );
}

/** What can be typed, and what it costs. */
export function CostNotes() {
  return (
    <ul className={styles.notes}>
      <li>
        <strong>Any words</strong> find a niche
      </li>
      <li>
        <strong>@handle</strong> or <strong>link</strong> adds a creator
      </li>
      <li>
        <strong>Many lines</strong> add them all
      </li>
      <li>1 request each; sorting and filtering are free</li>
    </ul>
  );
}
