import { Title } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import Link from "next/link";
import { formatCount, formatDay, formatQuantity, formatShortCount, formatTime } from "@/core/format";
import { addDays, type Day, HOUR, startOfDay, systemClock, toDate, toUtcDay } from "@/core/time";
import type { TrackedRow } from "@/features/creators/table.service";
import { computeRoundingError } from "@/features/growth/rules";
import { trpc } from "../../_client/trpc";
import { CreatorCell } from "../../_ui/creator-name";
import { Count } from "../../_ui/numbers";
import { Distance } from "../../_ui/times";
import type { Selection } from "../_tracking/use-selection";
import { Heading, type Order, SelectAll, SelectRow } from "./creator-table";
import tableStyles from "./creator-table.module.css";
import styles from "./waiting.module.css";

interface WaitingProps {
  creators: readonly TrackedRow[];
  /** How many wait, also on other pages. */
  total: number;
  isAll: boolean;
  selection: Selection<TrackedRow>;
  order: Order;
}

/** The hour of the daily run, UTC. */
const RUN_HOUR = 6;

/** Creators, the largest first, whose first growth is still to come, with their counts and the time of it. */
export function Waiting({ creators, total, isAll, selection, order }: WaitingProps) {
  const today = toUtcDay(systemClock.now());
  const first = findFirstGrowth(creators, systemClock.now());
  const shown = order.sort === "score" ? ({ ...order, sort: "subscribers" } as const) : order;
  const day = toUtcDay(first) === today ? "today" : "tomorrow";
  return (
    <section aria-labelledby="waiting">
      <div className={styles.head}>
        <Title order={2} size="0.9375rem" id="waiting">
          <IconClock size={17} stroke={1.75} aria-hidden /> Measured from {day}, {formatTime(first)}
        </Title>
        <p>
          {formatQuantity(total, "creator")}. Growth needs a second snapshot, <Distance at={first.toISOString()} />.
        </p>
      </div>
      <table
        className={`${tableStyles.table} ${styles.table}`}
        data-selecting={selection.selected.length > 0 || undefined}
      >
        <thead>
          <tr>
            <td className={tableStyles.pick}>{isAll && <SelectAll selection={selection} />}</td>
            <Heading sort="name" title="Creator" className={tableStyles.creator} order={shown} />
            <Heading sort="subscribers" title="Subscribers" className={styles.count} order={shown} />
            {["Total views", "Videos", "Views per video"].map((fact) => (
              <th key={fact} scope="col" className={styles.fact}>
                {fact}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {creators.map((creator) => (
            <Row key={creator.channel_id} creator={creator} selection={selection} />
          ))}
        </tbody>
      </table>
      {isAll && <Meanwhile />}
      {isAll && <Calendar today={today} first={first} />}
    </section>
  );
}

/** The run after the day of the last first snapshot; a run of the same day only takes its place. */
function findFirstGrowth(creators: readonly TrackedRow[], now: Date): Date {
  const latest = creators.reduce<Day>((day, { tracked_since }) => (tracked_since > day ? tracked_since : day), "");
  const next = toUtcDay(toDate(now.getTime() + (24 - RUN_HOUR) * HOUR));
  const after = latest === "" ? next : addDays(latest.slice(0, 10), 1);
  return toDate(startOfDay(after > next ? after : next).getTime() + RUN_HOUR * HOUR);
}

function Row({ creator, selection }: Pick<WaitingProps, "selection"> & { creator: TrackedRow }) {
  const { counts, subscribers, views, videos } = creator;
  return (
    <tr>
      <td className={tableStyles.pick}>
        <SelectRow creator={creator} selection={selection} />
      </td>
      <th scope="row" className={tableStyles.creator}>
        <CreatorCell creator={creator} isTracked />
      </th>
      <td className={styles.count}>
        {subscribers === null ? (
          <Count value={null} counts={counts} isBrief />
        ) : (
          <>
            <strong>{formatShortCount(subscribers)}</strong>
            <small>{formatTrueCounts(subscribers)}</small>
          </>
        )}
      </td>
      <td className={styles.fact}>{views !== null && formatShortCount(views)}</td>
      <td className={styles.fact}>{videos !== null && formatCount(videos)}</td>
      <td className={styles.fact}>{views !== null && videos ? formatShortCount(views / videos) : ""}</td>
    </tr>
  );
}

/** The counts that a shown one can be: `412,000 to 412,999`. */
function formatTrueCounts(shown: number): string {
  const error = computeRoundingError(shown);
  return error === 0 ? "exact" : `${formatCount(shown)} to ${formatCount(shown + error)}`;
}

/** Where growth can be seen at once: in the niche in which most of the creators were found. */
function Meanwhile() {
  const { data } = trpc.creators.choices.useQuery();
  const niche = data?.niches[0]?.label;
  return (
    <p className={styles.meanwhile}>
      Want to see growth today? Discover shows {niche ? `“${niche}”` : "niches"} with creators that are measured
      already. <Link href={niche ? `/discover?niche=${encodeURIComponent(niche)}` : "/discover"}>Open in Discover</Link>
    </p>
  );
}

function Calendar({ today, first }: { today: Day; first: Date }) {
  const firstDay = toUtcDay(first);
  const times = [
    { name: "Today", at: formatDay(today), text: "Counts, with the range that YouTube’s rounding hides." },
    {
      name: firstDay === today ? "Later today" : "Tomorrow",
      at: `${formatDay(firstDay)}, ${formatTime(first)}`,
      text: "Growth of 1 day and a first score. Alerts from here on.",
    },
    {
      name: "In a week",
      at: formatDay(addDays(firstDay, 6)),
      text: "Growth of 7 days, and an outlook with each alert.",
    },
    {
      name: "In four weeks",
      at: formatDay(addDays(firstDay, 27)),
      text: "Growth of 28 days. Scores rest on a full history.",
    },
  ];
  return (
    <div className={styles.calendar}>
      <Title order={2} size="0.9375rem">
        What you will see, and when
      </Title>
      <ol>
        {times.map(({ name, at, text }) => (
          <li key={name}>
            <strong>{name}</strong>
            <small>{at}</small>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
