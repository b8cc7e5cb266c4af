import { Checkbox, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { type ComponentProps, useContext, useEffect, useRef, useState } from "react";
import { formatQuantity, formatShortCount } from "@/core/format";
import { MAX_COMPARED } from "@/features/creators/rules";
import { trpc } from "../../../../_client/trpc";
import { CloseDropdown } from "../../../../_ui/dropdown";
import { getDisplayName } from "../../../../_ui/names";
import { getCountsBefore } from "./chart-model";
import type { Lines } from "./chart-panel";
import styles from "./panel.module.css";

/** Chooses what a chart is compared with: other tracked creators, and the period before. */
export function ComparePicker({ charted, change }: ComponentProps<typeof Lines>) {
  const { channel_id, days, history, compared = [], isBeforeShown = false } = charted;
  const dates = days.map(({ day }) => day);
  const isKept = getCountsBefore(dates, history) !== null;
  const ids = compared.map((other) => other.channel_id);
  return (
    <div className={styles.picker}>
      <Checkbox
        size="xs"
        label={`The ${formatQuantity(days.length, "day")} before`}
        description={isKept ? undefined : "Snapshots of that period are not kept."}
        checked={isBeforeShown}
        disabled={!isKept && !isBeforeShown}
        onChange={({ currentTarget: { checked } }) => change({ before: checked ? "yes" : "" })}
      />
      {ids.length < MAX_COMPARED ? (
        <CreatorChoices taken={[channel_id, ...ids]} onPick={(id) => change({ with: [...ids, id].join() })} />
      ) : (
        <Text size="xs" c="dimmed" mt="sm">
          A chart compares up to {MAX_COMPARED} creators. Remove one to add another.
        </Text>
      )}
    </div>
  );
}

const CHOICES = 50;

/** @param taken those that cannot be chosen: the creator itself and those already compared with it */
function CreatorChoices({ taken, onPick }: { taken: readonly string[]; onPick: (channelId: string) => void }) {
  const [typed, setTyped] = useState("");
  const close = useContext(CloseDropdown);
  const pick = (channelId: string) => {
    close();
    onPick(channelId);
  };
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const [search] = useDebouncedValue(typed.trim().slice(0, 100), 150);
  const { data } = trpc.creators.tracked.useQuery({ search, limit: CHOICES }, { placeholderData: keepPreviousData });
  const choices = data?.creators.filter(({ channel_id }) => !taken.includes(channel_id)) ?? [];
  return (
    <>
      <TextInput
        type="search"
        size="xs"
        mt="sm"
        ref={box}
        aria-label="Tracked creator"
        placeholder="Name or handle"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
      <ul className={styles.choices}>
        {choices.map(({ channel_id, name, subscribers }) => (
          <li key={channel_id}>
            <button type="button" className={styles.choice} onClick={() => pick(channel_id)}>
              <span>{getDisplayName({ channel_id, name })}</span>
              <span>{subscribers === null ? "hidden" : formatShortCount(subscribers)}</span>
            </button>
          </li>
        ))}
      </ul>
      {data && choices.length === 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {search ? "No matches among the creators you track." : "You track no other creators."}
        </Text>
      )}
    </>
  );
}
