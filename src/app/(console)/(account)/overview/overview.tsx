"use client";

import { Button, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { formatQuantity } from "@/core/format";
import type { FirstSteps } from "@/features/keys/service";
import { trpc } from "../../_client/trpc";
import { ADD_BOX, AddBox } from "../_add/add-box";
import { requestDiscovery } from "../_add/initial-text";
import styles from "./overview.module.css";
import { TrackedCreators } from "./tracked-creators";
import { DEFAULTS, toTabsQuery, toTrackedQuery } from "./tracked-query";

/** Loaded for keys that are not set up yet. */
const Steps = dynamic(() => import("./steps").then(({ Steps }) => Steps));

interface OverviewProps {
  appUrl: string;
  firstSteps: FirstSteps;
  /** When the reader last left the overview, in ISO 8601. */
  lastVisit: string | null;
}

/** Who is rising: the key's creators, the highest score first. */
export function Overview({ appUrl, firstSteps, lastVisit }: OverviewProps) {
  const router = useRouter();
  const [text, setText] = useState("");
  const isSetUp = Object.values(firstSteps).every(Boolean);
  return (
    <>
      <header className={styles.head}>
        <Title order={1} className={styles.title}>
          Rising now
        </Title>
        <Summary lastVisit={lastVisit} />
        <Button
          className={styles.open}
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => document.getElementById(ADD_BOX)?.focus()}
        >
          Add
        </Button>
        <div className={styles.add} data-open={text !== "" || undefined}>
          <AddBox
            text={text}
            placeholder="Add creators: handle or link"
            action="Add"
            onType={setText}
            onNiche={(niche) => router.push(niche ? requestDiscovery("niche", niche) : "/discover")}
          />
        </div>
      </header>
      <TrackedCreators lastVisit={lastVisit}>
        {!isSetUp && <Steps appUrl={appUrl} initial={firstSteps} />}
      </TrackedCreators>
    </>
  );
}

function Summary({ lastVisit }: Pick<OverviewProps, "lastVisit">) {
  const { data: lists } = trpc.lists.all.useQuery();
  const { data: tabs } = trpc.creators.tabs.useQuery(toTabsQuery(lastVisit));
  // What the table without filters has loaded, if it was shown.
  const { data: all } = trpc.creators.tracked.useQuery(toTrackedQuery(DEFAULTS), { enabled: false });
  if (!lists || !tabs || lists.tracked === 0) return <p className={styles.summary} />;
  if (all && all.waiting === all.pagination.total)
    return (
      <p className={styles.summary}>{formatQuantity(lists.tracked, "creator")}, first growth after the next run</p>
    );
  return (
    <p className={styles.summary}>
      {formatQuantity(lists.tracked, "creator")},{" "}
      {tabs.alerts === 0 ? "no alerts today" : <Link href="/alerts">{formatQuantity(tabs.alerts, "alert")} today</Link>}
    </p>
  );
}
