"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { FirstSteps } from "@/features/keys/schema";
import { PageHeader } from "../../_ui/page-header";
import { AddBox } from "../_add/add-box";
import { askDiscover } from "../_add/given-text";
import styles from "./overview.module.css";
import { StatusStrip } from "./status-strip";
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
      <StatusStrip />
      <TrackedCreators appUrl={appUrl} />
    </>
  );
}
