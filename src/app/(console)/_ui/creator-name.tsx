"use client";

import { UnstyledButton } from "@mantine/core";
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

interface CreatorNameProps {
  creator: Creator & Dated;
  /** Whether the name leads to the creator's page; else it leads to the channel. */
  isTracked: boolean;
  /** Filters by the country of the creator. */
  onCountry?: (country: string) => void;
  /** Further details. */
  children?: ReactNode;
}

/** Picture, name, handle and country of a creator. */
export function CreatorName({ creator, isTracked, onCountry, children }: CreatorNameProps) {
  const { channel_id, handle, country, status } = creator;
  const stale = getStaleDay(creator);
  return (
    <div className={styles.creator}>
      <Avatar {...creator} />
      <div className={styles.text}>
        {isTracked ? <PageLink {...creator} /> : <ChannelLink {...creator} />}
        <div className={styles.facts}>
          <span className={styles.handle}>{handle ?? channel_id}</span>
          {country && <Country country={country} onCountry={onCountry} />}
          {status === "unavailable" && <span>unavailable on the platform</span>}
          {stale && <span>last snapshot {stale}</span>}
        </div>
        {children}
      </div>
    </div>
  );
}

interface CreatorCellProps extends Pick<CreatorNameProps, "creator" | "isTracked" | "children"> {
  /** In place of the handle and country where there is little room. */
  brief?: ReactNode;
}

/** Picture, name, handle and country of a creator on two lines. On phones its count, score and level instead. */
export function CreatorCell({ creator, isTracked, brief, children }: CreatorCellProps) {
  const { channel_id, handle, country, status, score, alert_level } = creator;
  const stale = getStaleDay(creator);
  const note = status === "unavailable" ? "unavailable on the platform" : stale && `last snapshot ${stale}`;
  const place = [handle ?? channel_id, country && getCountryName(country)].filter(Boolean).join(" · ");
  return (
    <div className={styles.cell}>
      <Avatar {...creator} />
      <div className={styles.lines}>
        {isTracked ? <PageLink {...creator} /> : <ChannelLink {...creator} />}
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

function Country({ country, onCountry }: { country: string; onCountry: CreatorNameProps["onCountry"] }) {
  const name = getCountryName(country);
  if (!onCountry) return <span className={styles.plain}>{name}</span>;
  return (
    <UnstyledButton className={styles.country} title={`Show only ${name}`} onClick={() => onCountry(country)}>
      {name}
    </UnstyledButton>
  );
}

/** Says from which list of the overview it leads. No prefetch: there may be a hundred rows. */
function PageLink(creator: Creator) {
  const search = useSearchParams();
  const isOfList = usePathname() === "/overview" && search.size > 0;
  const via = isOfList ? `?${new URLSearchParams({ via: search.toString() })}` : "";
  return (
    <Link href={`/creators/${creator.channel_id}${via}`} prefetch={false} className={styles.name} dir="auto">
      <bdi>{getDisplayName(creator)}</bdi>
      <Pending />
    </Link>
  );
}

function ChannelLink(creator: Creator) {
  return (
    <a href={creator.url} target="_blank" rel="noreferrer" className={styles.name} dir="auto">
      <bdi>{getDisplayName(creator)}</bdi>
      <span className="visually-hidden"> on YouTube (in a new tab)</span>
    </a>
  );
}
