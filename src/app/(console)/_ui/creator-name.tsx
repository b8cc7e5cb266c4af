import Link from "next/link";
import { usePathname, useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import type { Creator } from "@/features/creators/schema";
import { LEVEL_WORDS } from "@/features/growth/score.rules";
import { Avatar } from "./avatar";
import { LevelBars } from "./badges";
import styles from "./creator-name.module.css";
import { getCountryName, getDisplayName } from "./names";
import { type Dated, getStaleDay } from "./numbers";
import { Pending } from "./pending";

interface CreatorCellProps {
  creator: Creator & Dated;
  /** Whether the name leads to the creator's page; else it leads to the channel. */
  isTracked: boolean;
  /** The count, where its column has left. */
  children?: ReactNode;
  /** In place of the handle and country where there is little room. */
  brief?: ReactNode;
}

/** Picture, name, handle and country of a creator on two lines. On phones its count, score and level instead. */
export function CreatorCell({ creator, isTracked, brief, children }: CreatorCellProps) {
  const { channel_id, handle, country, status, score, alert_level } = creator;
  const stale = isTracked && getStaleDay(creator);
  const note = status === "unavailable" ? "unavailable on the platform" : stale && `last snapshot ${stale}`;
  const place = [handle ?? channel_id, country && getCountryName(country)].filter(Boolean).join(" · ");
  return (
    <div className={styles.cell}>
      <Avatar {...creator} />
      <div className={styles.lines}>
        {isTracked ? (
          <PageLink {...creator} />
        ) : (
          <a href={creator.url} target="_blank" rel="noreferrer" className={styles.name} dir="auto">
            {getDisplayName(creator)}
            <span className="visually-hidden"> on YouTube (in a new tab)</span>
          </a>
        )}
        {brief}
        <span className={styles.second} data-phone={!brief || undefined}>
          {children && (
            <span className={styles.phone}>
              {children}
              {score !== null && !note && (
                <>
                  {" · "}
                  <LevelBars level={alert_level} /> <strong>{score}</strong> {LEVEL_WORDS[alert_level]}
                </>
              )}
              {note && ` · ${note}`}
            </span>
          )}
          {children && (
            <span className={styles.middle}>
              {children}
              {" · "}
            </span>
          )}
          <span className={styles.place}>{note ? `${handle ?? channel_id} · ${note}` : place}</span>
        </span>
      </div>
    </div>
  );
}

/** Says from which list of the overview it leads. No prefetch: there may be a hundred rows. */
function PageLink(creator: Creator) {
  const search = useSearchParams();
  const isOfList = usePathname() === "/overview" && search.size > 0;
  const via = isOfList ? `?${new URLSearchParams({ via: search.toString() })}` : "";
  return (
    <Link href={`/creators/${creator.channel_id}${via}`} prefetch={false} className={styles.name} dir="auto">
      {getDisplayName(creator)}
      <Pending />
    </Link>
  );
}
