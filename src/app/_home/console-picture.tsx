import { IconBell, IconChartBar, IconCompass, IconTrendingUp } from "@tabler/icons-react";
import type { CSSProperties } from "react";
import { formatGrowth, formatGrowthRange, formatQuantity, formatShortCount } from "@/core/format";
import { type AlertLabel, LABEL_WORDS, SEVERITY_SCALE } from "@/features/alerts/rules";
import { ALERT_LEVELS, type AlertLevel, LEVEL_WORDS } from "@/features/growth/score.rules";
import { Brand } from "@/ui/brand";
import { drawAvatar } from "../(console)/_ui/avatar";
import { chooseScale, Sparkline } from "../(console)/_ui/sparkline";
import styles from "./console-picture.module.css";
import picture from "./picture.json" with { type: "json" };

const COUNTRIES = new Intl.DisplayNames("en", { type: "region" });
const LEVELS: readonly string[] = ALERT_LEVELS.toReversed();
const SCALE = chooseScale(picture.rows.map(({ trend }) => trend));
type Row = (typeof picture.rows)[number];

/** The overview of the console on sample data, drawn in the page's theme. `npm run tools -- screenshots` reads its rows. */
export function ConsolePicture() {
  return (
    <figure>
      <div className={styles.window}>
        <Sidebar />
        <div className={styles.content}>
          <div className={styles.head}>
            <strong>Rising now</strong>
            <span>
              {formatQuantity(picture.creators, "creator")}, {picture.alerted} with an alert today
            </span>
            <span className={styles.fresh}>Read today, 06:00 UTC</span>
          </div>
          <table className={styles.table}>
            <caption className="visually-hidden">Rising creators of the sample data</caption>
            <thead>
              <tr>
                <td className={styles.position} />
                <th scope="col">Creator</th>
                <th scope="col" className={styles.trend}>
                  30 days
                </th>
                <th scope="col" className={styles.numeric}>
                  7 days
                </th>
                <th scope="col" className={`${styles.numeric} ${styles.next}`}>
                  Next 7 days
                </th>
                <th scope="col" className={styles.why}>
                  Main reason
                </th>
                <th scope="col">Score</th>
              </tr>
            </thead>
            <tbody>
              {picture.rows.map((row, index) => (
                <PictureRow key={row.channel_id} position={index + 1} {...row} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <figcaption className={styles.caption}>
        <span>The small line under a growth is its true range: YouTube rounds counts down to three digits.</span>
        <span>Sample data: creators and counts are invented.</span>
      </figcaption>
    </figure>
  );
}

function Sidebar() {
  return (
    <div className={styles.sidebar} aria-hidden>
      <p className={styles.brand}>
        <Brand />
      </p>
      <ul>
        <li data-current>
          <IconTrendingUp size={15} /> Overview
        </li>
        <li>
          <IconCompass size={15} /> Discover
        </li>
        <li>
          <IconBell size={15} /> Alerts <b>{picture.unread}</b>
        </li>
        <li>
          <IconChartBar size={15} /> Usage
        </li>
      </ul>
      <p>Lists</p>
      <ul>
        {picture.lists.map(({ name, count }) => (
          <li key={name}>
            {name} <span>{count}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function PictureRow({ position, alert, growth, ...row }: Row & { position: number }) {
  const color = SEVERITY_SCALE.find(({ severity }) => severity === alert?.severity)?.color;
  return (
    <tr data-alert={alert ? true : undefined} style={{ "--severity": color } as CSSProperties}>
      <td className={styles.position}>{position}</td>
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
        <Sparkline counts={row.trend} max={SCALE} />
      </td>
      <td className={styles.numeric}>
        <b className={styles.up}>{formatGrowth(growth.percent)}</b>
        <small>{formatGrowthRange(growth.low, growth.high)}</small>
      </td>
      <td className={`${styles.numeric} ${styles.next}`}>
        {row.expected_7d && (
          <>
            <b data-sure={row.expected_7d.low > 0 || undefined}>
              {formatGrowthRange(row.expected_7d.low, row.expected_7d.high)}
            </b>
            <small>8 in 10</small>
          </>
        )}
      </td>
      <td className={styles.why}>
        {alert && (
          <span className={styles.severity}>
            <i /> {alert.severity} <small>{LABEL_WORDS[alert.label as AlertLabel].toLowerCase()}</small>
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
