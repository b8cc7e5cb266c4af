import { useEffect } from "react";
import { formatCount } from "@/core/format";
import { trpc } from "../../_client/trpc";
import styles from "./shell.module.css";

/** How many alerts are unread, in the navigation. */
export function Unread() {
  const { data } = trpc.alerts.unread.useQuery();
  if (!data || data.unread === 0) return null;
  return (
    <span className={styles.count}>
      {formatCount(data.unread)}
      <span className="visually-hidden"> unread</span>
    </span>
  );
}

const MARK = /^\(\d[\d,]*\) /;

/** Prefixes the tab title with the number of unread alerts. */
export function UnreadTitle() {
  const unread = trpc.alerts.unread.useQuery().data?.unread ?? 0;
  useEffect(() => {
    const write = () => {
      const mark = unread > 0 ? `(${formatCount(unread)}) ` : "";
      const wanted = `${mark}${document.title.replace(MARK, "")}`;
      if (document.title !== wanted) document.title = wanted;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [unread]);
  return null;
}
