"use client";

import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { formatGrowth, formatUtc } from "@/core/format";
import { SHARE_DAYS, SHARING_OFF } from "@/features/creators/shares.rules";
import { trpc } from "../../../_client/trpc";
import { Avatar } from "../../../_ui/avatar";
import { CopyAction } from "../../../_ui/copy-action";
import { FailureNotice } from "../../../_ui/failure-notice";
import { getDisplayName } from "../../../_ui/names";
import { formatGrowthRange } from "./growth-range";
import styles from "./share.module.css";

const TERMS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));

/** Makes a link to the evidence card of a creator, and shows what the card says. */
export function ShareForm({ channelId }: { channelId: string }) {
  const [days, setDays] = useState<(typeof SHARE_DAYS)[number]>(SHARE_DAYS[0]);
  const utils = trpc.useUtils();
  const open = trpc.shares.all.useQuery();
  const create = trpc.shares.create.useMutation({ onSuccess: () => utils.shares.all.invalidate() });
  if (open.data?.is_allowed === false) return <p className={styles.note}>{SHARING_OFF}</p>;
  return (
    <div className={styles.card}>
      <Preview channelId={channelId} />
      {create.data ? (
        <>
          <div className={styles.link}>
            <input aria-label="Link" value={create.data.url} readOnly />
            <CopyAction text={create.data.url} label="Copy the link" />
          </div>
          <p className={styles.note}>
            Copy it now: it is not shown again. It works until {formatUtc(create.data.expires_at)}; you can revoke it in
            the settings.
          </p>
        </>
      ) : (
        <>
          <p className={styles.note}>
            Anyone with the link sees the chart, growth, score and level of this creator, without a key. It ends when
            you revoke it or stop tracking the creator.
          </p>
          {create.error && <FailureNotice error={create.error} />}
          <div className={styles.actions}>
            <SegmentedControl
              size="xs"
              aria-label="How long the link works"
              data={TERMS}
              value={String(days)}
              onChange={(chosen) => setDays(SHARE_DAYS.find((term) => String(term) === chosen) ?? SHARE_DAYS[0])}
            />
            <Button
              size="xs"
              variant="default"
              loading={create.isPending}
              onClick={() => create.mutate({ channel_id: channelId, days })}
            >
              Make link
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

/** Who the card shows, as of when, and its growth. */
function Preview({ channelId }: { channelId: string }) {
  const { data: creator } = trpc.creators.get.useQuery({ channel_id: channelId });
  if (!creator) return null;
  const { percent = null, low = null, high = null } = creator.growth.find(({ days }) => days === 7) ?? {};
  return (
    <div className={styles.preview}>
      <Avatar {...creator} />
      <div className={styles.who}>
        <strong dir="auto">{getDisplayName(creator)}</strong>
        {creator.last_snapshot_at && <span>as read {formatUtc(creator.last_snapshot_at)}</span>}
      </div>
      {percent !== null && low !== null && high !== null && (
        <div className={styles.growth}>
          <strong>{formatGrowth(percent)} in 7 days</strong>
          <span>{formatGrowthRange({ low, high })}</span>
        </div>
      )}
    </div>
  );
}
