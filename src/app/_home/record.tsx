import type { CSSProperties, ReactNode } from "react";
import { formatCount, formatDate } from "@/core/format";
import type { Accuracy as AlertAccuracy } from "@/features/alerts/outcomes.service";
import type { Accuracy } from "@/features/backtest/comparison.service";
import { computeShare, formatCounted, formatOfHundred, MIN_COUNTED, summarizeLevels } from "../record";
import styles from "./home.module.css";

interface RecordProps {
  record: Accuracy | null;
  alerts: AlertAccuracy;
  sample: boolean;
}

/** How high scores turned out, against the average: the short form of the accuracy page. */
export function Record({ record, alerts, sample }: RecordProps) {
  const { high, average } = record
    ? summarizeLevels(record)
    : { high: computeShare(0, 0), average: computeShare(0, 0) };
  if (!record || high.of < MIN_COUNTED)
    return (
      <HomeSection
        id="record"
        title="Every score is graded a week later"
        lead={
          <>
            By the same public rule, misses included. Here stands the share of high scores that grew 5%, beside the
            average, once {MIN_COUNTED} high scores are a week old. <a href="/accuracy">How it is graded</a>
          </>
        }
      />
    );
  const title = `${formatOfHundred(high.share)} of 100 high scores grew. Of all creators, ${Number(formatOfHundred(average.share))} did.`;
  const lead = (
    <>
      Every score and every alert is graded a week later, by the same public rule. {formatCount(average.of)} weeks of
      creators until {formatDate(record.last_day)}
      {sample && ", all sample data"}. <a href="/accuracy">See the whole record</a>
    </>
  );
  return (
    <HomeSection id="record" title={title} lead={lead}>
      <div className={styles.record}>
        <div>
          <h3>Grew 5% or more in the 7 days after</h3>
          <dl className={styles.bars}>
            <Bar name="High score" share={high.share} of={high.share} strong />
            <Bar name="Average" share={average.share} of={high.share} />
          </dl>
          <p>
            {formatCounted(high.came, high.of)} with a score of 75 and more; {formatCount(average.came)} of all{" "}
            {formatCount(average.of)}.
          </p>
        </div>
        <SaidAndSeen bins={record.calibration.chance_7d.bins} />
        <AlertsHeld alerts={alerts} />
      </div>
    </HomeSection>
  );
}

const toStyle = (share: number) => ({ "--share": `${100 * share}%` }) as CSSProperties;

function Bar({ name, share, of, strong }: { name: string; share: number; of: number; strong?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <i data-strong={strong} style={toStyle(share / Math.max(0.01, of))} />
        <b>{formatOfHundred(share)}%</b>
      </dd>
    </>
  );
}

/** The best filled group of chances above 10%: what was said, and how often it came. */
function SaidAndSeen({ bins }: { bins: Accuracy["calibration"]["chance_7d"]["bins"] }) {
  const counted = bins.filter(({ from, channels }) => from > 0 && channels >= MIN_COUNTED);
  const [bin] = counted.toSorted((one, other) => other.channels - one.channels);
  if (!bin) return null;
  const seen = bin.seen ?? 0;
  return (
    <div>
      <h3>When we said {Math.round(100 * (bin.predicted ?? 0))}%, it happened in</h3>
      <p className={styles.figure}>
        {Math.round(100 * seen)} <small>of 100</small>
      </p>
      <div className={styles.dots} style={toStyle(seen)} aria-hidden />
      <p>
        {formatCounted(Math.round(seen * bin.channels), bin.channels)} weeks with about this chance.{" "}
        <a href="/accuracy#chances">All chances</a>
      </p>
    </div>
  );
}

function AlertsHeld({ alerts }: { alerts: AlertAccuracy }) {
  const { held = 0, faded = 0 } = alerts.horizons.find(({ days }) => days === 7)?.rises ?? {};
  return (
    <div>
      <h3>Jumps that kept growing for a week</h3>
      {held + faded === 0 ? (
        <p>The first alerts are graded 7 days after they come.</p>
      ) : (
        <>
          <p className={styles.figure}>
            {held} <small>of {held + faded}</small>
          </p>
          <div className={styles.meter} style={toStyle(held / (held + faded))} aria-hidden />
          <p>Most jumps fade. The outlook says on the first day which ones may last.</p>
        </>
      )}
    </div>
  );
}

interface HomeSectionProps {
  id: string;
  title: string;
  lead: ReactNode;
  children?: ReactNode;
}

export function HomeSection({ id, title, lead, children }: HomeSectionProps) {
  return (
    <section id={id} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        <p>{lead}</p>
      </div>
      {children}
    </section>
  );
}
