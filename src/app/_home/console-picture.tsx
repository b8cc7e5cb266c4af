import { formatGrowth, formatGrowthRange, formatQuantity, formatShortCount } from "@/core/format";
import { type AlertLabel, LABEL_WORDS } from "@/features/alerts/rules";
import type { Alert } from "@/features/alerts/schema";
import { type AlertLevel, LEVEL_WORDS } from "@/features/growth/score.rules";
import { Brand } from "@/ui/brand";
import { Avatar } from "../(console)/_ui/avatar";
import { LevelBars, Severity } from "../(console)/_ui/badges";
import { getCountryName } from "../(console)/_ui/names";
import { chooseScale, Sparkline } from "../(console)/_ui/sparkline";
import { PAGES } from "../(console)/(account)/_shell/pages";
import styles from "./console-picture.module.css";
import picture from "./picture.json" with { type: "json" };

const SCALE = chooseScale(picture.rows.map(({ trend }) => trend));
const COLUMNS = [
  ["Creator"],
  ["30 days", styles.trend],
  ["7 days", styles.numeric],
  ["Next 7 days", `${styles.numeric} ${styles.next}`],
  ["Main reason", styles.why],
  ["Score"],
] as const;
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
                {COLUMNS.map(([title, className]) => (
                  <th key={title} scope="col" className={className}>
                    {title}
                  </th>
                ))}
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
        {PAGES.slice(0, 4).map(({ href, label, Icon }, index) => (
          <li key={href} data-current={index === 0 || undefined}>
            <Icon size={15} /> {label} {href === "/alerts" && <b>{picture.unread}</b>}
          </li>
        ))}
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
  const level = row.alert_level as AlertLevel;
  return (
    <tr data-severity={alert?.severity}>
      <td className={styles.position}>{position}</td>
      <th scope="row">
        <span className={styles.who}>
          <Avatar channel_id={row.channel_id} name={row.name} thumbnail_url={null} />
          <span>
            {row.name}
            <small>
              {row.country && `${getCountryName(row.country)} · `}
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
          <span className={styles.alert}>
            <Severity severity={alert.severity as Alert["severity"]} />{" "}
            <small>{LABEL_WORDS[alert.label as AlertLabel].toLowerCase()}</small>
          </span>
        )}
        {row.reason}
      </td>
      <td>
        <span className={styles.level} data-level={level}>
          <LevelBars level={level} />
          <b>{row.score}</b>
          <small>{LEVEL_WORDS[level]}</small>
        </span>
      </td>
    </tr>
  );
}
