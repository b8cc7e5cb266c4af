import type { CSSProperties } from "react";
import { formatDay, formatGrowth, formatQuantity, formatShortCount } from "@/core/format";
import { SEVERITY_SCALE } from "@/features/alerts/rules";
import { ALERT_LEVELS, type AlertLevel, LEVEL_WORDS } from "@/features/growth/score.rules";
import { drawAvatar } from "../(console)/_ui/avatar";
import { Sparkline } from "../(console)/_ui/sparkline";
import styles from "./console-picture.module.css";
import picture from "./picture.json" with { type: "json" };

const COUNTRIES = new Intl.DisplayNames("en", { type: "region" });
const LEVELS: readonly string[] = ALERT_LEVELS.toReversed();
type Row = (typeof picture.rows)[number];

/** The overview of the console on sample data, drawn in the page's theme. `npm run tools -- screenshots` reads its rows. */
export function ConsolePicture() {
  return (
    <figure>
      <div className={styles.window}>
        <div className={styles.head}>
          <strong>Overview</strong>
          <span>
            first {picture.rows.length} of {formatQuantity(picture.creators, "creator")}, by score
          </span>
          <span className={styles.fresh}>Read daily, 06:00 UTC</span>
        </div>
        <table className={styles.table}>
          <caption className="visually-hidden">Rising creators of the sample data</caption>
          <thead>
            <tr>
              <th scope="col">Creator</th>
              <th scope="col" className={styles.trend}>
                30 days
              </th>
              <th scope="col" className={styles.numeric}>
                7 days
              </th>
              <th scope="col" className={styles.numeric}>
                Next 7 days
              </th>
              <th scope="col" className={styles.why}>
                Why
              </th>
              <th scope="col">Score</th>
            </tr>
          </thead>
          <tbody>
            {picture.rows.map((row) => (
              <PictureRow key={row.channel_id} {...row} />
            ))}
          </tbody>
        </table>
      </div>
      <figcaption className={styles.caption}>
        <span>The small line under a growth is its true range: YouTube rounds counts down to three digits.</span>
        <span>Sample data: creators and counts are invented.</span>
      </figcaption>
    </figure>
  );
}

function PictureRow({ alert, growth, ...row }: Row) {
  const color = SEVERITY_SCALE.find(({ severity }) => severity === alert?.severity)?.color;
  return (
    <tr data-alert={alert ? true : undefined} style={{ "--severity": color } as CSSProperties}>
      <th scope="row">
        <span className={styles.who}>
          <PictureAvatar channel_id={row.channel_id} name={row.name} />
          <span>
            {row.name}
            <small>
              {row.country && `${COUNTRIES.of(row.country)} · `}
              {formatShortCount(row.subscribers)}
            </small>
          </span>
        </span>
      </th>
      <td className={styles.trend}>
        <Sparkline counts={row.trend} />
      </td>
      <td className={styles.numeric}>
        <b className={styles.up}>{formatGrowth(growth.percent)}</b>
        <small>
          {formatGrowth(growth.low)} to {formatGrowth(growth.high)}
        </small>
      </td>
      <td className={styles.numeric}>
        {row.expected_7d && (
          <>
            <b data-sure={row.expected_7d.low > 0 || undefined}>
              {formatGrowth(row.expected_7d.low)} to {formatGrowth(row.expected_7d.high)}
            </b>
            <small>8 in 10</small>
          </>
        )}
      </td>
      <td className={styles.why}>
        {alert && (
          <span className={styles.severity}>
            <i /> {alert.severity} <small>{formatDay(alert.day)}</small>
          </span>
        )}
        {row.reason}
      </td>
      <td>
        <Level score={row.score} level={row.alert_level as AlertLevel} />
      </td>
    </tr>
  );
}

/** The avatar of a creator without a picture. Decorative. */
export function PictureAvatar(creator: Pick<Row, "channel_id" | "name">) {
  const { gradient, shape, initials } = drawAvatar(creator);
  return (
    <span className={styles.avatar} style={{ backgroundImage: gradient }} aria-hidden>
      <svg viewBox="0 0 34 34" aria-hidden>
        <path d={shape} fill="#fff" opacity=".17" />
      </svg>
      {initials}
    </span>
  );
}

function Level({ score, level }: { score: number; level: AlertLevel }) {
  const reached = LEVELS.indexOf(level);
  return (
    <span className={styles.level} data-level={level}>
      <svg viewBox="0 0 15 12" width="15" height="12" aria-hidden>
        {LEVELS.map((name, index) => (
          <rect
            key={name}
            data-on={index <= reached || undefined}
            x={4 * index}
            y={8 - 2.6 * index}
            width="3"
            height={4 + 2.6 * index}
            rx="1"
          />
        ))}
      </svg>
      <b>{score}</b>
      <small>{LEVEL_WORDS[level]}</small>
    </span>
  );
}
