"use client";

import { SimpleGrid } from "@mantine/core";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FirstSteps } from "@/features/keys/schema";
import { PageHeader } from "../../_ui/page-header";
import { AddBox } from "../_add/add-box";
import { askDiscover } from "../_add/given-text";
import { CollectionCard } from "./collection-card";
import styles from "./overview.module.css";
import { QuotaCard } from "./quota-card";
import { TodaysAlerts } from "./todays-alerts";
import { TrackedCreators } from "./tracked-creators";

/** Loaded for keys that are not set up yet. */
const Onboarding = dynamic(() => import("./onboarding").then(({ Onboarding }) => Onboarding));

/** Rising creators, today's alerts and requests left. */
export function Overview({ appUrl, firstSteps }: { appUrl: string; firstSteps: FirstSteps }) {
  const router = useRouter();
  const [text, setText] = useState("");
  return (
    <>
      <PageHeader title="Overview" />
      <div className={styles.add}>
        <AddBox
          text={text}
          onType={setText}
          onNiche={(niche) => router.push(niche ? askDiscover("niche", niche) : "/discover")}
        />
      </div>
      {!Object.values(firstSteps).every(Boolean) && <Onboarding appUrl={appUrl} initial={firstSteps} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="xl">
        <TodaysAlerts />
        <CollectionCard />
        <QuotaCard />
      </SimpleGrid>
      <TrackedCreators appUrl={appUrl} />
    </>
  );
}
