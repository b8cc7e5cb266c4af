"use client";

import { useHotkeys } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { formatCount, formatDay } from "@/core/format";
import type { Day } from "@/core/time";
import type { CreatorDetails } from "@/features/creators/schema";
import type { Neighbors as NeighborsAnswer } from "@/features/creators/table.service";
import { trpc } from "../../../_client/trpc";
import { CauseBlock } from "../../../_ui/cause";
import { getDisplayName } from "../../../_ui/names";
import { SHOW_ALERTS, toNeighborsQuery } from "../../overview/tracked-query";
import { buildAlertsQuery } from "./alerts-query";
import styles from "./creator.module.css";
import { CreatorAlerts } from "./creator-alerts";
import { CreatorHead } from "./creator-head";
import { GrowthTable } from "./growth-table";
import { KeyNumbers } from "./key-numbers";
import neighborStyles from "./neighbors.module.css";
import { ScoreTable } from "./score-table";
import { Section } from "./section";
import { Snapshots } from "./snapshots";
import { Videos } from "./videos";

/** Loaded after the first paint. */
const CreatorShare = dynamic(() => import("./creator-share").then(({ CreatorShare }) => CreatorShare), { ssr: false });
const NoteEditor = dynamic(() => import("../../../_ui/note-editor").then(({ NoteEditor }) => NoteEditor), {
  ssr: false,
});

export function CreatorView({ initial, today }: { initial: CreatorDetails; today: Day }) {
  const { channel_id } = initial;
  const { data: creator } = trpc.creators.get.useQuery({ channel_id }, { initialData: initial });
  const history = trpc.creators.history.useQuery({ channel_id }).data?.history ?? [];
  // The likely cause of the latest alert, with the views of now.
  const [alert] = trpc.alerts.list.useQuery(buildAlertsQuery(channel_id)).data?.alerts ?? [];
  const videos = trpc.creators.videos.useQuery({ channel_id }).data?.videos;
  const title = alert && `Likely cause of the alert of ${formatDay(alert.day)}`;
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
      {alert && (
        <section className={styles.cause} aria-label={title}>
          <CauseBlock cause={alert.cause} title={title} current={videos} />
        </section>
      )}
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

type Neighbor = NonNullable<NeighborsAnswer["next"]>;

/** Where a creator stands in the list that the reader came from, and the way to those before and after it. */
function Neighbors({ channelId }: { channelId: string }) {
  const router = useRouter();
  const search = useSearchParams();
  const via = search.get("via") ?? "";
  const { data } = trpc.creators.neighbors.useQuery(toNeighborsQuery(channelId, via), { staleTime: Infinity });
  const lists = trpc.lists.all.useQuery().data?.lists;
  const from = new URLSearchParams(via);
  const list = lists?.find(({ id }) => id === from.get("list"));
  const view = from.get("show") === SHOW_ALERTS ? "Alerts today" : from.has("show") ? "Since your last visit" : null;
  const getHref = ({ channel_id }: Neighbor) => {
    const kept = new URLSearchParams(search);
    for (const own of ["with", "before"]) kept.delete(own);
    return `/creators/${channel_id}${kept.size > 0 ? `?${kept}` : ""}`;
  };
  const { previous = null, next = null } = data ?? {};
  const go = (neighbor: Neighbor | null) => neighbor && router.push(getHref(neighbor));
  useHotkeys([
    ["K", () => go(previous)],
    ["J", () => go(next)],
  ]);
  return (
    <nav className={neighborStyles.crumbs} aria-label="Creators of the list">
      <Link href={`/overview${via ? `?${via}` : ""}`}>{list?.name ?? view ?? "Rising now"}</Link>
      {data && (
        <>
          <span aria-hidden>/</span>
          <span>
            {formatCount(data.position)} of {formatCount(data.total)}
          </span>
        </>
      )}
      <span className={neighborStyles.ways}>
        {previous && (
          <Link href={getHref(previous)} prefetch={false} rel="prev" title="Previous creator (K)">
            <IconChevronLeft size={14} aria-hidden />
            <span className="visually-hidden">Previous: </span>
            <bdi>{getDisplayName(previous)}</bdi>
          </Link>
        )}
        {next && (
          <Link href={getHref(next)} prefetch={false} rel="next" title="Next creator (J)">
            <span className="visually-hidden">Next: </span>
            <bdi>{getDisplayName(next)}</bdi>
            <IconChevronRight size={14} aria-hidden />
          </Link>
        )}
      </span>
    </nav>
  );
}
