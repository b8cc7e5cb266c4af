import type { Metadata } from "next";
import { SitePage } from "../site-page";
import { RequestForm } from "./request-form";
import styles from "./request-key.module.css";

export const metadata: Metadata = { title: "Request a key" };

export default function RequestKeyPage() {
  return (
    <SitePage>
      <div className={styles.page}>
        <h1>Request a key</h1>
        <p className={styles.lead}>Say who you are and what the key is for. We answer by email within 24 hours.</p>
        <RequestForm />
      </div>
    </SitePage>
  );
}
