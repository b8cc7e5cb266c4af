import { formatCount, formatGrowth, formatShortCount } from "@/core/format";
import type { Alert } from "@/features/alerts/schema";
import { computeGrowthBounds, computeGrowthPercent } from "@/features/growth/rules";
import { Avatar } from "../(console)/_ui/avatar";
import { Severity } from "../(console)/_ui/badges";
import styles from "./home.module.css";
import picture from "./picture.json" with { type: "json" };
import { HomeSection } from "./record";

/** The public key of the sandbox works in the command. */
export function Evidence({ command }: { command: string }) {
  return (
    <HomeSection
      id="api"
      title="Evidence you can forward"
      lead="An answer to “what happened?”, a range that is true, and the same data in your own tools."
    >
      <div className={styles.cards}>
        <article>
          <div className={styles.stage}>
            <AlertMail />
          </div>
          <h3>The alert names its cause</h3>
          <p>The video behind the jump, how unusual it is for this creator, and how often such jumps went on.</p>
        </article>
        <article>
          <div className={styles.stage}>
            <RangeExample />
          </div>
          <h3>Ranges instead of false precision</h3>
          <p>Counts are rounded, so growth is a range. We print it, and we count how often our chances hold.</p>
        </article>
        <article>
          <div className={styles.stage}>
            <div className={styles.code}>
              <pre>{command}</pre>
              <pre>{JSON.stringify(EXAMPLE, null, 2)}</pre>
            </div>
          </div>
          <h3>The API in one curl</h3>
          <p>
            All the console shows: discover, track, history, alerts, changes, CSV and an MCP server.{" "}
            <a href="/docs/quick-start">Quick start</a>
          </p>
        </article>
      </div>
    </HomeSection>
  );
}

const { alert } = picture;
const [video] = alert.cause.videos;
const EXAMPLE = {
  severity: alert.severity,
  percent: alert.percent,
  growth_low: alert.growth_low,
  growth_high: alert.growth_high,
  cause: { kind: alert.cause.kind, text: alert.cause.text },
};

function AlertMail() {
  return (
    <div className={styles.mail} data-severity={alert.severity}>
      <p className={styles.mailHead}>
        <Avatar channel_id={alert.channel_id} name={alert.creator_name} thumbnail_url={null} />
        <span>
          <Severity severity={alert.severity as Alert["severity"]} />
          <b>{alert.creator_name}</b>
        </span>
        <span className={styles.mailGrowth}>
          <b>{formatGrowth(alert.percent)}</b>
          <small>
            {formatGrowth(alert.growth_low)} to {formatGrowth(alert.growth_high)}
          </small>
        </span>
      </p>
      {video && (
        <p>
          <small>Likely from</small>
          <b>{video.title}</b>
          <small>
            {formatShortCount(video.views)} views, {Math.round(video.times_usual)} times its usual
          </small>
        </p>
      )}
      <p>
        <small>
          {formatCount(alert.subscribers_before)} → {formatCount(alert.subscribers_after)} subscribers in a day.{" "}
          {Math.round(100 * alert.held_chance)} of 100 such jumps kept growing.
        </small>
      </p>
    </div>
  );
}

const [BEFORE, AFTER] = [116_000, 132_000];

function RangeExample() {
  const { low, high } = computeGrowthBounds(BEFORE, AFTER);
  const exact = (100 * (AFTER - BEFORE)) / BEFORE;
  const scale = { min: low - 1, max: high + 1 };
  const place = (value: number) => `${(100 * (value - scale.min)) / (scale.max - scale.min)}%`;
  return (
    <dl className={styles.range}>
      <div>
        <dt>YouTube shows</dt>
        <dd>
          {formatShortCount(BEFORE)} → {formatShortCount(AFTER)}
        </dd>
      </div>
      <div>
        <dt>Others print</dt>
        <dd>+{exact.toFixed(3)}%</dd>
      </div>
      <div>
        <dt>We print</dt>
        <dd className={styles.up}>{formatGrowth(computeGrowthPercent(BEFORE, AFTER) ?? 0)}</dd>
      </div>
      <div className={styles.scale} aria-hidden>
        <i style={{ left: place(low), right: `calc(100% - ${place(high)})` }} />
      </div>
      <div>
        <dt>The true growth is between</dt>
        <dd>
          {formatGrowth(low)} and {formatGrowth(high)}
        </dd>
      </div>
    </dl>
  );
}
