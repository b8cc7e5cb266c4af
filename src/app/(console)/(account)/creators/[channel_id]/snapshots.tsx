import { SegmentedControl, Skeleton } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRef } from "react";
import { formatCount, formatDay } from "@/core/format";
import type { Day } from "@/core/time";
import type { CreatorDetails } from "@/features/creators/schema";
import { DataTable } from "@/ui/data-table";
import { trpc } from "../../../_client/trpc";
import { useUrlState } from "../../../_client/use-url-state";
import { Dropdown, DropdownItem } from "../../../_ui/dropdown";
import { QueryState } from "../../../_ui/query-state";
import { trySaving } from "../../../_ui/save-button";
import { getShownDays, type SnapshotDay } from "./_chart/snapshot-days";
import { parseView, VIEW_DEFAULTS } from "./_chart/view-state";
import { buildAlertsQuery } from "./alerts-query";
import styles from "./creator.module.css";
import { Section } from "./section";

const ChartSkeleton = () => <Skeleton className={styles.chart} />;

/** Loaded after the first paint. */
const ChartPanel = dynamic(() => import("./_chart/chart-panel").then(({ ChartPanel }) => ChartPanel), {
  ssr: false,
  loading: ChartSkeleton,
});

const Lines = dynamic(() => import("./_chart/chart-panel").then(({ Lines }) => Lines), { ssr: false });

const Switch = SegmentedControl.withProps({ size: "xs" });
const SCALES = [
  { value: "linear", label: "Linear" },
  { value: "log", label: "Log" },
];

/** A creator's daily snapshots as chart, table and files. @param today of the server */
export function Snapshots({ creator, today }: { creator: CreatorDetails; today: Day }) {
  const { channel_id } = creator;
  const [state, change] = useUrlState(VIEW_DEFAULTS);
  const drawing = useRef<SVGSVGElement>(null);
  const history = trpc.creators.history.useQuery({ channel_id });
  const { data } = trpc.alerts.list.useQuery(buildAlertsQuery(channel_id));
  const view = parseView(state, channel_id);
  const chart = trpc.creators.chart.useQuery({ compared: view.compared }, { placeholderData: keepPreviousData });
  const alerts = data?.alerts ?? [];
  const snapshots = history.data?.history ?? [];
  const { spans, span, days } = getShownDays(snapshots, view.days, today);
  const compared = chart.data?.compared.filter((other) => view.compared.includes(other.channel_id)) ?? [];
  const charted = { ...creator, ...view, days, history: snapshots, compared, expected: creator.expected_7d, alerts };
  const savePicture = async () => {
    const { saveChart } = await import("./_chart/picture");
    if (drawing.current) await saveChart(drawing.current, { creator, days, isSample: chart.data?.is_sample });
  };
  const saveAll = async () => (await import("../../../_ui/csv")).saveSnapshots(creator, snapshots);
  const actions = (
    <>
      <Switch aria-label="Scale" data={SCALES} value={view.scale} onChange={(scale) => change({ scale })} />
      {spans.length > 1 && (
        <Switch aria-label="Chart period" data={spans} value={span} onChange={(value) => change({ days: value })} />
      )}
      <Dropdown icon={<IconDownload size={16} aria-hidden />} label="Download" title="Download">
        <DropdownItem onClick={() => trySaving(savePicture)}>Chart as PNG</DropdownItem>
        <DropdownItem onClick={() => trySaving(saveAll)}>All snapshots as CSV</DropdownItem>
      </Dropdown>
    </>
  );
  return (
    <Section title="Subscribers" aside={<Lines charted={charted} change={change} />} actions={actions}>
      <QueryState query={history} skeleton={<ChartSkeleton />}>
        {() => (
          <>
            <ChartPanel
              ref={drawing}
              charted={charted}
              chart={chart}
              isWaiting={view.compared.length > 0 && chart.isPending}
            />
            <SnapshotTable days={days} alertDays={alerts.map(({ day }) => day)} />
          </>
        )}
      </QueryState>
    </Section>
  );
}

/** The charted numbers as a table, newest day first. */
function SnapshotTable({ days, alertDays }: { days: readonly SnapshotDay[]; alertDays: readonly Day[] }) {
  const format = (count: number | null) => (count === null ? "hidden" : formatCount(count));
  return (
    <details className={styles.snapshots}>
      <summary>View as table</summary>
      <DataTable
        caption="Snapshots by day, newest first"
        columns={["Day (UTC)", "Subscribers", "Views", "Videos"]}
        rows={days
          .toReversed()
          .map(({ day, snapshot }) => [
            `${formatDay(day)}${alertDays.includes(day) ? " ▲ alert" : ""}`,
            ...(snapshot
              ? [snapshot.subscribers, snapshot.views, snapshot.videos].map(format)
              : ["no snapshot", "", ""]),
          ])}
        isCompact
      />
    </details>
  );
}
