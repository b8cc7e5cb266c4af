import { formatGrowth, formatUtc } from "@/core/format";
import { trpc } from "../../../_client/trpc";
import { Avatar } from "../../../_ui/avatar";
import { getDisplayName } from "../../../_ui/names";
import { describeRange, isMeasured } from "../../../_ui/numbers";
import { ShareForm } from "../../../_ui/share-form";
import styles from "./share.module.css";

const TEXT =
  "Anyone with the link sees the chart, growth, score and level of this creator, without a key. It ends when you revoke it or untrack the creator.";

/** Makes a link to the evidence card of a creator, and shows what the card says: who, as of when, and its growth. */
export function CreatorShare({ channelId }: { channelId: string }) {
  const { data: creator } = trpc.creators.get.useQuery({ channel_id: channelId });
  const week = creator?.growth.find(({ days }) => days === 7);
  return (
    <ShareForm text={TEXT} subject={{ channel_id: channelId }}>
      {creator && (
        <div className={styles.preview}>
          <Avatar {...creator} />
          <div className={styles.who}>
            <strong dir="auto">{getDisplayName(creator)}</strong>
            {creator.last_snapshot_at && <span>as read {formatUtc(creator.last_snapshot_at)}</span>}
          </div>
          {isMeasured(week) && (
            <div className={styles.growth}>
              <strong>{formatGrowth(week.percent)} in 7 days</strong>
              <span>{describeRange(week)}</span>
            </div>
          )}
        </div>
      )}
    </ShareForm>
  );
}
