"use client";

import { Title } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { formatQuantity } from "@/core/format";
import { systemClock, toUtcDay } from "@/core/time";
import type { FirstSteps } from "@/features/keys/schema";
import { trpc } from "../../_client/trpc";
import { AddBox } from "../_add/add-box";
import { requestDiscovery } from "../_add/initial-text";
import styles from "./overview.module.css";
import { TrackedCreators } from "./tracked-creators";
import { ALERTS_SHOWN } from "./tracked-query";

/** Loaded for keys that are not set up yet. */
const Onboarding = dynamic(() => import("./onboarding").then(({ Onboarding }) => Onboarding));

/** Who is rising: the key's creators, the highest score first. */
export function Overview({ appUrl, firstSteps }: { appUrl: string; firstSteps: FirstSteps }) {
  const router = useRouter();
  const [text, setText] = useState("");
  return (
    <>
      <header className={styles.head}>
        <Title order={1} size="h2">
          Rising now
        </Title>
        <Summary />
        <div className={styles.add}>
          <AddBox
            text={text}
            onType={setText}
            onNiche={(niche) => router.push(niche ? requestDiscovery("niche", niche) : "/discover")}
          />
        </div>
      </header>
      {!Object.values(firstSteps).every(Boolean) && <Onboarding appUrl={appUrl} initial={firstSteps} />}
      <TrackedCreators appUrl={appUrl} />
    </>
  );
}

function Summary() {
  const { data } = trpc.alerts.list.useQuery({ day: toUtcDay(systemClock.now()), limit: ALERTS_SHOWN });
  const total = data?.pagination.total ?? 0;
  return (
    <p className={styles.summary}>
      {total === 0 ? "No alerts today" : <Link href="/alerts">{formatQuantity(total, "alert")} today</Link>}
    </p>
  );
}
