import { IconCheck, IconClock } from "@tabler/icons-react";
import type { ComponentProps, ReactNode } from "react";
import { formatQuantity, formatShortCount } from "@/core/format";
import type { FoundCreator } from "@/features/discovery/service";
import { computeGrowthBounds, computeGrowthPercent } from "@/features/growth/rules";
import type { GrowthWindow } from "@/features/growth/schema";
import { ScoreValue } from "../../_ui/badges";
import { CreatorCell } from "../../_ui/creator-name";
import { Count, ExpectedRange, GrowthRange, getStaleDay } from "../../_ui/numbers";
import { chooseScale, type Scale, Sparkline } from "../../_ui/sparkline";
import { Heading, SelectAll, SelectRow } from "../overview/creator-table";
import tableStyles from "../overview/creator-table.module.css";
import styles from "./result-table.module.css";
import type { RowActions } from "./results";
import type { Sort } from "./search";
import { TrackButton } from "./track-button";

interface ResultTableProps {
  sort: Sort;
  onSort: (sort: string) => void;
  actions: RowActions;
}

/** Found creators, one a row, in groups. Columns leave as in the overview. */
export function ResultTable({ sort, onSort, actions }: ResultTableProps) {
  const scale = chooseScale(actions.rows.map(({ trend }) => trend));
  const hasReasons = actions.rows.some(({ reason }) => reason !== null);
  const order = { sort, descending: true, onSort };
  return (
    <table className={`${tableStyles.table} ${styles.table}`} data-selecting data-bare={!hasReasons || undefined}>
      <thead>
        <tr>
          <td className={`${tableStyles.pick} ${styles.pick}`}>
            {actions.ids.length > 0 && (
              <SelectAll
                selection={actions}
                label={`Select all ${formatQuantity(actions.ids.length, "creator")} not tracked yet`}
              />
            )}
          </td>
          <th scope="col" className={tableStyles.creator}>
            Creator
          </th>
          <th scope="col" className={`${tableStyles.trend} ${styles.trend}`}>
            30 days
            <small>−10 to +{scale}%</small>
          </th>
          <Heading sort="subscribers" title="Subs" className={tableStyles.size} order={order} />
          <Heading sort="growth_7d" title="7 days" className={`${tableStyles.week} ${styles.growth}`} order={order} />
          <th scope="col" className={`${tableStyles.month} ${styles.growth}`}>
            28 days
          </th>
          <th scope="col" className={`${tableStyles.expected} ${styles.expected}`}>
            Expected
            <small>7 days, 8 in 10</small>
          </th>
          <Heading sort="score" title="Score" className={tableStyles.score} order={order} />
          <th scope="col" className={`${tableStyles.reason} ${styles.reason}`}>
            Main reason
          </th>
          <td className={styles.action} />
        </tr>
      </thead>
      {groupCreators(actions.rows).map(({ title, note, creators: group }) => (
        <tbody key={title}>
          {title && (
            <tr className={styles.group}>
              <th scope="rowgroup" colSpan={2}>
                <div>
                  {title} <span className={styles.note}>{note}</span>
                </div>
              </th>
            </tr>
          )}
          {group.map((creator) => (
            <Row key={creator.channel_id} creator={creator} actions={actions} scale={scale} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Row({ creator, actions, scale }: ComponentProps<typeof TrackButton> & { scale: Scale }) {
  const { channel_id, subscribers, counts, growth, is_tracked } = creator;
  const isMeasured = creator.score_basis === "history";
  const stale = isMeasured ? getStaleDay(creator) : null;
  const week = isMeasured ? (
    <Measured creator={creator} days={7} percent={creator.growth_7d_percent} stale={stale} />
  ) : (
    <Known>{creator.videos !== null && formatQuantity(creator.videos, "video")}</Known>
  );
  const month = growth.find(({ days }) => days === 28)?.percent ?? null;
  return (
    <tr data-selected={actions.isSelected(channel_id) || undefined}>
      <td className={`${tableStyles.pick} ${styles.pick}`}>
        {is_tracked ? (
          <IconCheck size={18} className={styles.check} aria-label="Tracked" />
        ) : (
          <SelectRow creator={creator} selection={actions} />
        )}
      </td>
      <th scope="row" className={`${tableStyles.creator} ${styles.creator}`}>
        <CreatorCell creator={creator} isTracked={is_tracked}>
          <Count value={subscribers} counts={counts} />
        </CreatorCell>
      </th>
      <td className={`${tableStyles.trend} ${styles.trend}`}>
        {isMeasured ? <Sparkline counts={creator.trend} max={scale} /> : <FromTomorrow {...creator} />}
        {stale && <small className={styles.asOf}>as of {stale}</small>}
      </td>
      <td className={tableStyles.size}>
        <Count value={subscribers} counts={counts} isBrief />
      </td>
      <td className={tableStyles.week}>{week}</td>
      <td className={tableStyles.month}>
        {isMeasured ? (
          <Measured creator={creator} days={28} percent={month} stale={stale} />
        ) : (
          <Known>{creator.views !== null && `${formatShortCount(creator.views)} views`}</Known>
        )}
      </td>
      <td className={`${tableStyles.expected} ${styles.expected}`}>
        <span className={tableStyles.above}>{week}</span>
        {isMeasured && (!stale || creator.expected_7d) && <ExpectedRange range={creator.expected_7d} />}
        <span className={styles.phone}>{stale ? `as of ${stale}` : !isMeasured && <FromTomorrow {...creator} />}</span>
      </td>
      <td className={tableStyles.score}>
        <ScoreValue {...creator} />
      </td>
      <td className={`${tableStyles.reason} ${styles.reason}`} title={creator.reason ?? undefined}>
        <span className={tableStyles.why}>{creator.reason}</span>
      </td>
      <td className={styles.action}>
        <TrackButton creator={creator} actions={actions} />
      </td>
    </tr>
  );
}

interface MeasuredProps {
  creator: FoundCreator;
  days: number;
  percent: number | null;
  /** The day of the latest snapshot where it is not today's. */
  stale: string | null;
}

/** Growth up to today; in grey up to an earlier snapshot. */
function Measured({ creator, days, percent, stale }: MeasuredProps) {
  if (!stale) return <GrowthRange percent={percent} growth={creator.growth} days={days} />;
  const latest = measureTrend(creator.trend, days);
  return (
    <span className={styles.old} title={`As of ${stale}, the latest snapshot`}>
      <GrowthRange percent={latest?.percent ?? null} growth={latest ? [latest] : []} days={days} />
    </span>
  );
}

/** What the platform counts of a creator whose growth is not measured yet. */
function Known({ children }: { children: ReactNode }) {
  return <span className={styles.known}>{children}</span>;
}

/** From when on growth is measured. */
function FromTomorrow({ counts }: Pick<FoundCreator, "counts">) {
  if (counts === "hidden") return <Known>not measurable</Known>;
  return (
    <Known>
      <IconClock size={14} stroke={1.75} aria-hidden />
      from tomorrow
    </Known>
  );
}

/** Growth up to the latest count of a trend, for creators without a snapshot of today; null where it is not known. */
export function measureTrend(trend: readonly (number | null)[], days: number): GrowthWindow | null {
  const last = trend.findLastIndex((count) => count !== null);
  const [before, after] = [trend[last - days] ?? null, trend[last] ?? null];
  const percent = computeGrowthPercent(before, after);
  if (percent === null || !before || !after) return null;
  const bounds = computeGrowthBounds(before, after);
  return { days, subscribers_before: before, subscribers_after: after, percent, ...bounds };
}

/** Creators in groups, the first without a heading: with measured growth, then the new ones, then those whose growth cannot be measured. */
function groupCreators(creators: readonly FoundCreator[]) {
  const unmeasured = creators.filter(({ score_basis }) => score_basis === "profile");
  const groups = [
    { title: "", note: "", creators: creators.filter(({ score_basis }) => score_basis === "history") },
    {
      title: "New, measured from tomorrow",
      note: "First growth after tomorrow's run at 06:00 UTC. Until then the score is an estimate.",
      creators: unmeasured.filter(({ counts }) => counts !== "hidden"),
    },
    {
      title: "Subscribers hidden by the channel",
      note: "Without a visible count there is no growth and no score.",
      creators: unmeasured.filter(({ counts }) => counts === "hidden"),
    },
  ];
  return groups.filter((group) => group.creators.length > 0);
}
