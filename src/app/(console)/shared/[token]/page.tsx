import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { formatDate, formatUtc } from "@/core/format";
import { toUtcDay } from "@/core/time";
import type { SharedCard } from "@/features/creators/shares.service";
import { getAppContext } from "@/server/context";
import { Avatar } from "../../_ui/avatar";
import { CauseBlock } from "../../_ui/cause";
import { getDisplayName } from "../../_ui/names";
import { PageHeader } from "../../_ui/page-header";
import { buildChartModel } from "../../(account)/creators/[channel_id]/_chart/chart-model";
import { buildFrame } from "../../(account)/creators/[channel_id]/_chart/frame";
import { ChartPlot } from "../../(account)/creators/[channel_id]/_chart/plot";
import { listSnapshotDays } from "../../(account)/creators/[channel_id]/_chart/snapshot-days";
import { GrowthTable } from "../../(account)/creators/[channel_id]/growth-table";
import { KeyNumbers } from "../../(account)/creators/[channel_id]/key-numbers";
import { ScoreTable } from "../../(account)/creators/[channel_id]/score-table";
import { Section } from "../../(account)/creators/[channel_id]/section";
import { getLastAlert, getShared } from "./get-card";
import styles from "./shared.module.css";
import { SharedFooter, SharedList } from "./shared-list";

interface SharedPageProps {
  params: Promise<{ token: string }>;
}

const DAYS_SHOWN = 90;
/** Its style shows the one that fits, because the server does not know the screen. */
const WIDTHS = [
  { width: 880, name: "wide" },
  { width: 340, name: "narrow" },
] as const;

export async function generateMetadata({ params }: SharedPageProps): Promise<Metadata> {
  const { token } = await params;
  const [card, list] = await getShared(token);
  const basics: Metadata = { robots: { index: false, follow: false }, referrer: "no-referrer" };
  if (!card && !list) return { ...basics, title: "This link has ended" };
  const title = list ? list.name : `${card && getDisplayName(card.creator)}: growth`;
  const url = `${getAppContext().env.appUrl}/shared/${token}/image`;
  const image = { url, width: 1200, height: 630, type: "image/png", alt: title };
  return { ...basics, title, openGraph: { title, images: [image] }, twitter: { card: "summary_large_image" } };
}

/** A creator's evidence card, or a list, for a reader without a key. */
export default async function SharedPage({ params }: SharedPageProps) {
  const { token } = await params;
  const [card, list] = await getShared(token);
  if (list) return <SharedList {...list} />;
  if (!card) notFound();
  const { creator } = card;
  const alert = await getLastAlert(card);
  return (
    <main className={styles.page}>
      <PageHeader
        title={getDisplayName(creator)}
        picture={<Avatar {...creator} large />}
        lead={
          <>
            {creator.handle ?? creator.channel_id} · <a href={creator.url}>Open on YouTube</a>
          </>
        }
      >
        {getAppContext().platform.name === "sample" && <strong className={styles.sample}>Sample data</strong>}
      </PageHeader>
      <KeyNumbers creator={creator} history={card.history} />
      <Subscribers {...card} />
      {alert && (
        <section className={styles.alert} aria-label="Likely cause">
          <p>{alert.message}</p>
          <CauseBlock cause={alert.cause} title={`Likely cause of the rise of ${formatDate(alert.day)}`} />
        </section>
      )}
      <div className={styles.pair}>
        <GrowthTable {...creator} />
        <ScoreTable {...creator} />
      </div>
      <SharedFooter expiresAt={card.expiresAt}>
        {creator.last_snapshot_at && `Read ${formatUtc(creator.last_snapshot_at)}. `}
      </SharedFooter>
    </main>
  );
}

function Subscribers({ creator, history }: SharedCard) {
  const { channel_id, name } = creator;
  const days = listSnapshotDays(history, DAYS_SHOWN, toUtcDay(getAppContext().clock.now()));
  const model = buildChartModel({ channel_id, name, days, history, expected: creator.expected_7d });
  return (
    <Section title="Subscribers">
      {model ? (
        WIDTHS.map(({ width, name }) => (
          <div key={name} className={`${styles.chart} ${styles[name]}`}>
            <ChartPlot
              model={model}
              frame={buildFrame(width, model)}
              label={`Subscribers of ${getDisplayName(creator)} by day`}
            />
          </div>
        ))
      ) : (
        <p>A chart needs two days with a visible count.</p>
      )}
    </Section>
  );
}
