import { Button, SegmentedControl } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { formatUtc } from "@/core/format";
import { SHARE_DAYS, SHARING_OFF } from "@/features/creators/rules";
import { trpc } from "../_client/trpc";
import { CopyAction } from "./copy-action";
import { FailureNotice } from "./query-state";
import styles from "./share-form.module.css";

const TERMS = SHARE_DAYS.map((days) => ({ value: String(days), label: `${days} days` }));

interface ShareFormProps {
  /** What a reader of the link sees, and when it ends. */
  text: string;
  subject: { channel_id: string } | { list_id: string };
  children?: ReactNode;
}

/** Makes a link to a creator's evidence card or to a list. */
export function ShareForm({ text, subject, children }: ShareFormProps) {
  const [days, setDays] = useState<(typeof SHARE_DAYS)[number]>(SHARE_DAYS[0]);
  const utils = trpc.useUtils();
  const open = trpc.shares.all.useQuery();
  const create = trpc.shares.create.useMutation({ onSuccess: () => utils.shares.all.invalidate() });
  if (open.data?.is_allowed === false) return <p className={styles.note}>{SHARING_OFF}</p>;
  return (
    <div className={styles.form}>
      {children}
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
          <p className={styles.note}>{text}</p>
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
              onClick={() => create.mutate({ ...subject, days })}
            >
              Make link
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
