"use client";

import { Button, Skeleton, Text } from "@mantine/core";
import { formatQuantity } from "@/core/format";
import { trpc } from "../../_client/trpc";
import { QueryState } from "../../_ui/query-state";
import styles from "./niche-map.module.css";

interface NicheMapProps {
  current: string;
  isBusy: boolean;
  onSearch: (niche: string) => void;
}

/** The known niches in groups, with how many creators each has and how many of them rise. A press searches one. */
export function NicheMap({ current, isBusy, onSearch }: NicheMapProps) {
  const map = trpc.discovery.map.useQuery();
  return (
    <QueryState query={map} skeleton={<Skeleton height={280} radius="md" />}>
      {({ groups }) =>
        groups.length === 0 ? (
          <Text size="sm" c="dimmed">
            Known niches will be listed here. Any topic can be searched.
          </Text>
        ) : (
          <dl className={styles.map} aria-label="Known niches">
            {groups.map(({ name, niches }) => (
              <div key={name} className={styles.group}>
                <dt>{name}</dt>
                <dd className={styles.niches}>
                  {niches.map(({ niche, creators, rising }) => (
                    <Button
                      key={niche}
                      variant="default"
                      size="compact-sm"
                      radius="xl"
                      className={styles.niche}
                      aria-current={niche === current || undefined}
                      disabled={isBusy}
                      title={formatQuantity(creators, "creator")}
                      onClick={() => onSearch(niche)}
                    >
                      {niche}
                      <span className={styles.creators}>
                        {creators}
                        <span className="visually-hidden"> creators</span>
                      </span>
                      {rising > 0 && <span className={styles.rising}>{rising} rising</span>}
                    </Button>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        )
      }
    </QueryState>
  );
}
