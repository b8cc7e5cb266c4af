"use client";

import { Anchor, UnstyledButton } from "@mantine/core";
import Link from "next/link";
import type { FoundCreator } from "@/features/discovery/schema";
import { Avatar } from "../../_ui/avatar";
import { countryName } from "../../_ui/country-name";
import { staleDay } from "../../_ui/numbers";
import { shownName } from "../../_ui/shown-name";
import styles from "./creator-name.module.css";

interface CreatorNameProps {
  creator: FoundCreator;
  /** Filters by the country of the creator. */
  onCountry: (country: string) => void;
}

/** Picture, name, handle and country of a found creator. */
export function CreatorName({ creator, onCountry }: CreatorNameProps) {
  const { channel_id, handle, country, status } = creator;
  const stale = staleDay(creator);
  return (
    <div className={styles.creator}>
      <Avatar {...creator} />
      <div className={styles.text}>
        <Name {...creator} />
        <div className={styles.facts}>
          <span className={styles.handle}>{handle ?? channel_id}</span>
          {country && (
            <UnstyledButton
              className={styles.country}
              title={`Show only ${countryName(country)}`}
              onClick={() => onCountry(country)}
            >
              {countryName(country)}
            </UnstyledButton>
          )}
          {status === "unavailable" && <span>unavailable on the platform</span>}
          {stale && <span>last snapshot {stale}</span>}
        </div>
      </div>
    </div>
  );
}

/** Links to the creator's page if tracked, else to the channel. */
function Name(creator: FoundCreator) {
  const { channel_id, url, is_tracked } = creator;
  const name = <bdi>{shownName(creator)}</bdi>;
  if (is_tracked)
    return (
      <Anchor
        component={Link}
        href={`/creators/${channel_id}`}
        prefetch={false}
        className={styles.name}
        dir="auto"
      >
        {name}
      </Anchor>
    );
  return (
    <Anchor href={url} target="_blank" rel="noreferrer" className={styles.name} dir="auto">
      {name}
      <span className="visually-hidden"> on YouTube (in a new tab)</span>
    </Anchor>
  );
}
