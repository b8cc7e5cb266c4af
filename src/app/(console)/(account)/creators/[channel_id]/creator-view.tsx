"use client";

import dynamic from "next/dynamic";
import { formatDay } from "@/core/format";
import type { Day } from "@/core/time";
import type { CreatorDetails } from "@/features/creators/schema";
import { trpc } from "../../../_client/trpc";
import { CauseBlock } from "../../../_ui/cause";
import { buildAlertsQuery } from "./_chart/view-state";
import styles from "./creator.module.css";
import { CreatorAlerts } from "./creator-alerts";
import { CreatorHead } from "./creator-head";
import { GrowthTable } from "./growth-table";
import { KeyNumbers } from "./key-numbers";
import { Neighbors } from "./neighbors";
import { ScoreTable } from "./score-table";
import { Section } from "./section";
import { Snapshots } from "./snapshots";
import { Videos } from "./videos";

/** Loaded after the first paint. */
const CreatorShare = dynamic(() => import("./creator-share").then(({ CreatorShare }) => CreatorShare), { ssr: false });
const NoteEditor = dynamic(() => import("../../../_ui/note-editor").then(({ NoteEditor }) => NoteEditor), {
  ssr: false,
});

/** The page of one tracked creator. */
export function CreatorView({ initial, today }: { initial: CreatorDetails; today: Day }) {
  const { channel_id } = initial;
  const { data: creator } = trpc.creators.get.useQuery({ channel_id }, { initialData: initial });
  const history = trpc.creators.history.useQuery({ channel_id }).data?.history ?? [];
  return (
    <>
      <Neighbors channelId={channel_id} />
      <CreatorHead creator={creator} />
      <KeyNumbers creator={creator} history={history} />
      {creator.reason && (
        <p className={styles.reason}>
          <strong>Why it is here:</strong> {creator.reason}
        </p>
      )}
      <LatestCause channelId={channel_id} />
      <Snapshots creator={creator} today={today} />
      <Videos channelId={channel_id} />
      <div className={styles.pair}>
        <GrowthTable {...creator} />
        <ScoreTable {...creator} />
      </div>
      <div className={styles.pair} data-wide-first>
        <CreatorAlerts {...creator} />
        <div>
          <Section title="Share this evidence">
            <div className={styles.card}>
              <CreatorShare channelId={channel_id} />
            </div>
          </Section>
          <Section title="Note">
            <NoteEditor channelId={channel_id} />
          </Section>
        </div>
      </div>
    </>
  );
}

/** The likely cause of the latest alert, with the views of now. */
function LatestCause({ channelId }: { channelId: string }) {
  const [alert] = trpc.alerts.list.useQuery(buildAlertsQuery(channelId)).data?.alerts ?? [];
  const videos = trpc.creators.videos.useQuery({ channel_id: channelId }).data?.videos;
  if (!alert) return null;
  return (
    <section className={styles.cause} aria-label={`Likely cause of the alert of ${formatDay(alert.day)}`}>
      <CauseBlock cause={alert.cause} title={`Likely cause of the alert of ${formatDay(alert.day)}`} current={videos} />
    </section>
  );
}
