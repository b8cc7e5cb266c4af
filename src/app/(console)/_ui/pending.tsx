import { useLinkStatus } from "next/link";
import styles from "./pending.module.css";

/** Inside a link: a moving line at the top of the window while the page it leads to is on its way. */
export function Pending() {
  return useLinkStatus().pending && <span className={styles.line} role="status" aria-label="Loading" />;
}
